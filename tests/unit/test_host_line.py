"""How a claim is shared out among the hosts in line."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.hosts import host_of_address
from specfactory.store.queue.host_line import MANY, PICTURE, HostTurns, InLine, fair_shares


class Rooms(HostTurns):
    """Hosts with so much room each."""

    def __init__(self, rooms: dict[str, int], served: str = "") -> None:
        super().__init__()
        self.rooms, self.served = rooms, served

    def room(self, host: str) -> int:
        return self.rooms.get(host, MANY)


def line(*hosts: str, priority: int = 3, is_due: bool = True) -> list[InLine]:
    return [InLine("page", priority, host, at, is_due) for at, host in enumerate(hosts, 1)]


def shared(places: list[InLine], count: int, turns: HostTurns) -> dict[str, int]:
    return {one.host: number for one, number in fair_shares(places, count, turns)}


def test_a_claim_is_shared_out_evenly() -> None:
    assert shared(line("a", "b", "c"), 9, HostTurns()) == {"a": 3, "b": 3, "c": 3}


def test_what_one_has_no_room_for_goes_to_the_others() -> None:
    assert shared(line("a", "b", "c"), 9, Rooms({"a": 1})) == {"a": 1, "b": 4, "c": 4}


def test_the_host_after_the_one_served_last_is_first() -> None:
    assert shared(line("a", "b", "c"), 1, Rooms({}, served="b")) == {"c": 1}
    assert shared(line("a", "b", "c"), 1, Rooms({}, served="c")) == {"a": 1}


def test_urgent_jobs_go_first_and_hosts_that_wait_get_none() -> None:
    places = line("slow") + line("a", priority=1) + line("asleep", is_due=False)

    assert shared(places, 5, Rooms({"a": 4})) == {"a": 4, "slow": 1}


def test_the_next_picture_begins_where_one_was_cut_off() -> None:
    turns = HostTurns()

    assert turns.look_on([InLine("page", 3, "m", PICTURE, False), *line("a", "z")])
    assert turns.beginning == "m"
    assert not turns.look_on(line("a", "z"))
    assert turns.beginning == ""


@given(
    places=st.lists(
        st.builds(
            InLine, st.sampled_from(["page", "site"]), st.integers(1, 5),
            st.sampled_from("abcdefgh"), st.just(1), st.booleans(),
        ),
        unique=True,
    ),
    count=st.integers(0, 30),
    rooms=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 5)),
    served=st.sampled_from(["", "c", "h"]),
)  # fmt: skip
def test_a_claim_is_never_too_large_and_never_leaves_room_unused(
    places: list[InLine], count: int, rooms: dict[str, int], served: str
) -> None:
    turns = Rooms(rooms, served)

    shares = fair_shares(places, count, turns)

    taken = Counter[str]()
    for one, number in shares:
        assert one.is_due
        assert number > 0
        taken[one.host] += number
    assert all(number <= turns.room(host) for host, number in taken.items())
    possible = sum(turns.room(host) for host in {one.host for one in places if one.is_due})
    assert taken.total() == min(count, possible)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://Shop.Example/a", "shop.example"),
        ("https://shop.example:8443?x=1", "shop.example:8443"),
        ("https://shop.example:443/", "shop.example"),
        ("HTTP://shop.example:80#top", "shop.example"),
        ("http://user:word@shop.example/", "shop.example"),
        ("http://[::1]:8080/x", "[::1]:8080"),
        ("ftp://shop.example/", ""),
        ("shop.example/a", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of_address(url) == host
