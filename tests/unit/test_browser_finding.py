"""Which browser is used: the one that is named, else the first that is installed."""

from pathlib import Path

import pytest

from specfactory.adapters.browser.find import find_browser, usable_browser
from specfactory.assembly import look_for_browser
from specfactory.settings import BrowserSettings, Settings

FOUND = "chromium_headless_shell-1200/chrome-linux/headless_shell"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing installed."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    return tmp_path


def install(place: Path, text: str = "") -> str:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)
    return str(place)


def test_without_a_browser_there_is_none(machine):
    assert find_browser(BrowserSettings()) == ""
    assert look_for_browser(Settings()) == ("", "no browser is installed")


def test_headless_shell_comes_before_the_whole_browser(machine):
    install(machine / "bin" / "google-chrome")
    chromium = install(machine / "bin" / "chromium")
    assert find_browser(BrowserSettings()) == chromium

    shell = install(machine / "bin" / "chromium-headless-shell")
    assert find_browser(BrowserSettings()) == shell


def test_what_playwright_has_brought_is_found_last_the_newest_first(machine):
    old = install(machine / "downloads" / FOUND)
    assert find_browser(BrowserSettings()) == old

    new = install(machine / "downloads" / FOUND.replace("1200", "1254"))
    assert find_browser(BrowserSettings()) == new

    chromium = install(machine / "bin" / "chromium")
    assert find_browser(BrowserSettings()) == chromium


def test_named_browser_is_used_or_none(machine):
    install(machine / "bin" / "chromium")
    own = install(machine / "own" / "browser")
    missing = BrowserSettings(executable=str(machine / "nowhere"))

    assert find_browser(BrowserSettings(executable=own)) == own
    assert find_browser(missing) == ""
    said = f"browser.executable ({machine / 'nowhere'}) cannot be run"
    assert look_for_browser(Settings(browser=missing)) == ("", said)


def test_browser_that_is_not_wanted_is_not_looked_for(machine):
    install(machine / "bin" / "chromium")
    off = Settings(browser=BrowserSettings(enabled=False))

    assert look_for_browser(off) == ("", "browser.enabled is off")


async def test_stub_of_a_browser_does_not_hide_one_that_is_there(machine):
    stub = install(machine / "bin" / "chromium-browser")
    assert find_browser(BrowserSettings()) == stub
    assert await usable_browser(BrowserSettings()) == ""

    real = install(machine / "downloads" / FOUND, "echo Chromium 141.0.7390.54")
    assert await usable_browser(BrowserSettings()) == real
