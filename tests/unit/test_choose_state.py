"""Which shared state the settings choose, and that no password is ever shown."""

import asyncio

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.adapters.redis.guarded_state import GuardedState
from specfactory.adapters.redis.state import split_namespace
from specfactory.assembly import choose_state, name_state
from specfactory.errors import SettingError
from specfactory.settings import Settings
from specfactory.testing import ManualClock


def chosen(url):
    return choose_state(Settings(state_url=url), ManualClock())


def test_without_an_address_limits_are_this_processs_own():
    assert isinstance(chosen(""), MemoryState)
    assert name_state(Settings()) == "this process"


@pytest.mark.parametrize(
    "url",
    ["redis://h:1/0", "rediss://user:pw@h:1/0", "unix:///tmp/x.sock?db=1", "redis://h?namespace=a"],
)
def test_redis_is_chosen_by_its_address(url):
    assert isinstance(chosen(url), GuardedState)


@pytest.mark.parametrize(
    "url", ["http://:geheim@h/0", "geheim", "redis://:geheim@h:port/0", "redis://h/geheim?db=x"]
)
def test_address_of_another_form_is_refused_without_its_password(url):
    with pytest.raises(SettingError) as refused:
        chosen(url)

    assert refused.value.name == "state_url"
    assert "geheim" not in str(refused.value)


def test_name_of_the_state_holds_no_password():
    settings = Settings(state_url="redis://user:pw@h:6379/2?namespace=shop")

    assert name_state(settings) == "Redis h:6379/2"
    assert "pw" not in repr(choose_state(settings, ManualClock()).__dict__.get("_place"))


@pytest.mark.parametrize(
    ("url", "address", "namespace"),
    [
        ("redis://h/0", "redis://h/0", "specfactory"),
        ("redis://h/0?namespace=shop", "redis://h/0", "shop"),
        ("unix:///s?db=2&namespace=shop", "unix:///s?db=2", "shop"),
        ("redis://h/0?namespace=", "redis://h/0", "specfactory"),
    ],
)
def test_namespace_is_no_part_of_the_address(url, address, namespace):
    assert split_namespace(url) == (address, namespace)


def test_state_that_was_never_used_is_closed_without_a_word():
    asyncio.run(chosen("redis://127.0.0.1:1/0").close())
