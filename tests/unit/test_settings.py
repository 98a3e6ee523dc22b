"""One Settings: what wins, what is allowed, and what a mistyped one says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from specfactory.entry.cli.setup.init import settings_text
from specfactory.errors import SettingError, UsageError
from specfactory.settings import QueueSettings, Settings, describe, load
from specfactory.settings.declaring import PLACES


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    file = tmp_path / "specfactory.yaml"
    file.write_text("fetch: {max_redirects: 1, timeout_seconds: 11}\nproducts_at_once: 4\n")
    return file


def test_flags_win_over_the_environment_over_the_file_over_defaults(settings_file: Path) -> None:
    environment = {"SPEC_FETCH_MAX_REDIRECTS": "2", "SPEC_FETCH_TIMEOUT_SECONDS": "12"}

    settings = load(settings_file, environment, {"fetch.max_redirects": 3})

    assert settings.fetch.max_redirects == 3
    assert settings.fetch.timeout_seconds == 12
    assert settings.products_at_once == 4
    assert settings.fetch.max_bytes == Settings().fetch.max_bytes


def test_flags_without_a_value_change_nothing(settings_file: Path) -> None:
    assert load(settings_file, {}, {"products_at_once": None}).products_at_once == 4


def test_the_environment_names_the_file(settings_file: Path) -> None:
    assert load(environment={"SPEC_CONFIG": str(settings_file)}).products_at_once == 4


def test_a_file_in_the_working_folder_is_read(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(settings_file.parent)

    assert load(environment={}).products_at_once == 4


def test_a_named_file_that_is_missing_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"missing\.yaml"):
        load(tmp_path / "missing.yaml", {})


@pytest.mark.parametrize(
    ("path", "value", "allowed"),
    [
        ("fetch.max_redirects", "many", "a whole number from 0 to 20"),
        ("fetch.max_redirects", 21, "a whole number from 0 to 20"),
        ("fetch.max_redirects", 1.5, "a whole number from 0 to 20"),
        ("fetch.max_bytes", float("inf"), "a whole number from 1000 to 1000000000"),
        ("fetch.timeout_seconds", "nan", "a number from 0.1 to 600"),
        ("fetch.timeout_seconds", True, "a number from 0.1 to 600"),
        ("fetch.respect_robots", "maybe", "true or false"),
        ("log.level", "loud", "debug | info | warning | error"),
        ("contracts_dir", ["a"], "text"),
        ("fetch.allow_loopback", True, PLACES.words),
        ("fetch.allow_loopback", ["localhost"], PLACES.words),
        ("fetch.allow_loopback", ["*"], PLACES.words),
        ("fetch.allow_loopback", ["*:80"], PLACES.words),
        ("fetch.allow_loopback", ["http://localhost:80"], PLACES.words),
        ("sources", "example.com", "a list of entries, each {name: value, …}"),
        ("sources", ["example.com"], "a list of entries, each {name: value, …}"),
    ],
)
def test_a_wrong_value_names_the_setting_and_what_is_allowed(
    path: str, value: Any, allowed: str
) -> None:
    with pytest.raises(SettingError) as caught:
        load(environment={}, flags={path: value})

    assert str(caught.value) == f"setting {path} is {value!r}; allowed: {allowed}"


@pytest.mark.parametrize(
    ("written", "places"),
    [
        (False, ()),
        ("false", ()),
        ("", ()),
        ("a.localhost:1, [::1]:2", ("a.localhost:1", "[::1]:2")),
    ],
)
def test_loopback_is_opened_place_by_place(written: Any, places: tuple[str, ...]) -> None:
    assert (
        load(environment={}, flags={"fetch.allow_loopback": written}).fetch.allow_loopback == places
    )


@pytest.mark.parametrize("path", ["fetch.speed", "speed", "fetch.max_bytes.more"])
def test_an_unknown_setting_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        load(environment={}, flags={path: 1})


def test_a_mistyped_setting_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(UsageError, match=r"did you mean fetch\.max_bytes\?"):
        load(environment={}, flags={"fetch.max_byts": 1})


@pytest.mark.parametrize("text", ["[1, 2]", "fetch: 5", "a: [", "fetch: {speed: 1}", "\x00"])
def test_a_file_of_the_wrong_shape_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "specfactory.yaml"
    file.write_text(text)

    with pytest.raises(UsageError) as caught:
        load(file, {})
    assert "\n" not in str(caught.value)


def test_a_section_of_comments_alone_can_still_be_set_from_outside(tmp_path: Path) -> None:
    file = tmp_path / "specfactory.yaml"
    file.write_text("fetch:\n  #max_redirects: 5\n")

    assert load(file, {"SPEC_FETCH_MAX_REDIRECTS": "7"}).fetch.max_redirects == 7


def test_every_setting_says_what_it_means_and_its_default_is_allowed() -> None:
    for setting in describe():
        assert setting.meaning
        given = list(setting.default) if setting.default == () else setting.default
        assert load(environment={}, flags={setting.path: given})


def test_a_worker_is_lost_after_as_many_heartbeats_as_are_set() -> None:
    assert QueueSettings().lost_after_seconds == 3 * QueueSettings().heartbeat_seconds
    patient = QueueSettings(heartbeat_seconds=10.0, lost_after_heartbeats=5)
    assert patient.lost_after_seconds == 50.0


def test_every_setting_can_be_given_in_the_environment() -> None:
    scalars = [setting for setting in describe() if setting.default != ()]
    environment = {setting.variable: str(setting.default) for setting in scalars}

    assert load(environment=environment) == Settings()


@pytest.mark.parametrize(
    "text",
    [
        '[{"host": "shop.example", "cookies": {"session": "SHOP"}}]',
        "[{host: shop.example, cookies: {session: SHOP}}]",
    ],
)
def test_a_list_of_entries_can_be_given_in_the_environment(text: str) -> None:
    settings = load(environment={"SPEC_FETCH_LOGINS": text})

    assert settings.fetch.logins == ({"host": "shop.example", "cookies": {"session": "SHOP"}},)


@pytest.mark.parametrize("text", ["[http://a:1, http://b:2]", "http://a:1, http://b:2"])
def test_a_list_of_names_can_be_given_as_the_file_has_it(text: str) -> None:
    assert load(environment={}, flags={"proxy.urls": text}).proxy.urls == (
        "http://a:1",
        "http://b:2",
    )


@pytest.mark.parametrize("text", ["[{host: ", "[1, 2]", "words"])
def test_what_is_no_list_of_entries_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match=r"fetch\.logins"):
        load(environment={"SPEC_FETCH_LOGINS": text})


def test_the_file_of_init_holds_every_default_and_changes_nothing(tmp_path: Path) -> None:
    text = settings_text(describe())
    file = tmp_path / "specfactory.yaml"
    file.write_text(text)
    uncommented = yaml.safe_load(
        "\n".join(line.replace("#", "", 1) for line in text.splitlines() if "# " not in line)
    )

    assert load(file, {}) == Settings()
    for setting in describe():
        value: Any = uncommented
        for name in setting.path.split("."):
            value = value[name]
        assert value == (list(setting.default) if setting.default == () else setting.default)


def test_a_text_setting_is_one_line():
    with pytest.raises(SettingError, match=r"fetch\.user_agent"):
        load(environment={}, flags={"fetch.user_agent": "Us/1.0\r\nCookie: x"})
