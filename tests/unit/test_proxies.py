"""The pool of proxies: whom it chooses, whom it rests, and what it remembers."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.adapters.memory.state import MemoryState
from specfactory.errors import StoreError
from specfactory.fetch.proxies.health import (
    FAILURES,
    LONGEST_REST_MS,
    MOST_COOLDOWNS,
    RestRule,
    after_answer,
    after_failure,
    after_use,
)
from specfactory.fetch.proxies.list_formats import make_proxy, read_list
from specfactory.fetch.proxies.pool import ProxyPool
from specfactory.model import Cause, FetchEnd, Outcome, Proxy, ProxyHealth, ProxyOrigin
from specfactory.testing import ManualClock

A, B, C = (make_proxy(f"10.0.0.{n}:8080", ProxyOrigin.FILE) for n in (1, 2, 3))
HOME = make_proxy("10.0.1.1:8080 residential", ProxyOrigin.FILE)
HOST, OTHER = "shop.example", "lab.example"
RULE = RestRule(rest_ms=60_000)
DEAD = FetchEnd(Outcome.NETWORK_ERROR, "proxy: no connection: refused", Cause.PROXY)


def pool(*proxies: Proxy, clock=None, state=None, seed: int = 1, book=None) -> ProxyPool:
    clock = clock or ManualClock()
    return ProxyPool(
        proxies, state or MemoryState(clock), clock, Random(seed), rest_minutes=1, book=book
    )


async def fail(chosen: ProxyPool, proxy: Proxy, times: int = FAILURES, host: str = HOST) -> None:
    for _ in range(times):
        await chosen.report(proxy, host, DEAD)


async def test_work_is_spread_over_all_that_are_healthy():
    chosen, used = pool(A, B, C), Counter[str]()
    for _ in range(300):
        proxy = await chosen.choose(HOST)
        used[proxy.place] += 1
        await chosen.report(proxy, HOST, FetchEnd(Outcome.OK, ""), 0.2)

    assert min(used.values()) > 60


async def test_the_quick_one_is_preferred_and_the_slow_one_not_forgotten():
    chosen, used = pool(A, B), Counter[str]()
    for _ in range(300):
        proxy = await chosen.choose(HOST)
        used[proxy.place] += 1
        await chosen.report(proxy, HOST, FetchEnd(Outcome.OK, ""), 0.1 if proxy == A else 5.0)

    assert used[A.place] > 5 * used[B.place] > 0


async def test_one_that_is_at_work_is_chosen_less():
    chosen, used = pool(A, B), Counter[str]()
    for _ in range(60):
        proxy = await chosen.choose(HOST)
        used[proxy.place] += 1
        if proxy == B:  # A never comes back
            await chosen.report(proxy, HOST, FetchEnd(Outcome.OK, ""), 0.2)

    assert used[B.place] > 3 * used[A.place]


async def test_a_dead_one_is_rested_longer_each_time_and_tried_again():
    clock = ManualClock()
    chosen = pool(A, clock=clock)
    await fail(chosen, A)

    assert await chosen.choose(HOST) is None
    clock.advance(61)
    assert await chosen.choose(HOST) == A
    await fail(chosen, A, 1)
    clock.advance(61)
    assert await chosen.choose(HOST) is None
    clock.advance(60)
    assert await chosen.choose(HOST) == A


async def test_after_a_failure_another_one_is_chosen():
    clock = ManualClock()
    chosen = pool(A, B, clock=clock)
    await fail(chosen, A, 1)

    assert {await chosen.choose(HOST) for _ in range(20)} == {B}
    clock.advance(61)
    assert {await chosen.choose(HOST) for _ in range(40)} == {A, B}


async def test_success_ends_the_doubling():
    clock = ManualClock()
    chosen = pool(A, clock=clock)
    await fail(chosen, A)
    clock.advance(61)
    await chosen.report(A, HOST, FetchEnd(Outcome.OK, ""), 0.1)
    await fail(chosen, A)
    clock.advance(61)

    assert await chosen.choose(HOST) == A


async def test_a_proxy_that_one_host_blocks_still_serves_the_others():
    chosen = pool(A)
    await chosen.report(A, HOST, FetchEnd(Outcome.BLOCKED, ""), 0.1)

    assert await chosen.choose(HOST) is None
    assert await chosen.choose(OTHER) == A


async def test_a_host_that_is_down_does_not_cost_the_proxies_their_name():
    chosen = pool(A, B)
    for _ in range(10):
        for proxy in (A, B):
            await chosen.report(proxy, HOST, FetchEnd(Outcome.TIMEOUT, ""))

    assert await chosen.choose(HOST) is None
    assert await chosen.choose(OTHER) in (A, B)


async def test_time_outs_at_several_hosts_are_the_proxys_own():
    chosen = pool(A)
    for number in range(2 * FAILURES):
        await chosen.report(A, f"host{number}.example", FetchEnd(Outcome.TIMEOUT, ""))

    assert await chosen.choose("fresh.example") is None


async def test_a_dearer_tier_is_used_when_the_cheap_one_is_blocked():
    chosen = pool(A, HOME)

    assert await chosen.choose(HOST) == A
    await chosen.report(A, HOST, FetchEnd(Outcome.CAPTCHA, ""), 0.1)
    assert await chosen.choose(HOST) == HOME
    assert await chosen.choose(OTHER) == A


async def test_a_tier_that_is_asked_for_is_never_replaced_by_a_cheaper_one():
    chosen = pool(A, HOME)

    assert await chosen.choose(HOST, "residential") == HOME
    await fail(chosen, HOME)
    assert await chosen.choose(HOST, "residential") is None
    assert await chosen.choose(HOST, "no such tier") == A


async def test_without_a_tier_the_first_one_is_meant_even_when_others_have_no_name():
    assert await pool(HOME, A).choose(HOST) == HOME


def test_tiers_follow_the_order_of_the_list_with_the_rotator_first():
    rotator = Proxy("http://127.0.0.1:8089", "127.0.0.1:8089", "rotator", ProxyOrigin.ROTATOR)
    chosen = pool(A, HOME, rotator)

    assert chosen.tiers == ("rotator", "", "residential")


async def test_one_block_says_little_about_a_rotator():
    rotator = Proxy("http://127.0.0.1:8089", "127.0.0.1:8089", "rotator", ProxyOrigin.ROTATOR)
    chosen = pool(rotator)
    for _ in range(FAILURES):
        assert await chosen.choose(HOST) == rotator
        await chosen.report(rotator, HOST, FetchEnd(Outcome.BLOCKED, ""))

    assert await chosen.choose(HOST) is None


async def test_workers_share_what_they_know():
    clock = ManualClock()
    state = MemoryState(clock)
    first, second = pool(A, B, clock=clock, state=state), pool(A, B, clock=clock, state=state)
    await fail(first, A)
    await first.report(B, HOST, FetchEnd(Outcome.BLOCKED, ""))

    assert await second.choose(HOST) is None
    assert await second.choose(OTHER) == B


async def test_rests_and_recoveries_are_told_without_the_password():
    clock = ManualClock()
    state = MemoryState(clock)
    secret = make_proxy("http://ann:hidden@10.0.0.9:3128 mobile", ProxyOrigin.SETTINGS)
    chosen, told = pool(secret, clock=clock, state=state), state.subscribe()
    await fail(chosen, secret)
    clock.advance(61)
    await chosen.report(secret, HOST, FetchEnd(Outcome.OK, ""), 0.1)

    rested, recovered = await anext(told), await anext(told)
    assert (rested.name, recovered.name) == ("proxy.rested", "proxy.recovered")
    assert rested.fields["place"] == "10.0.0.9:3128"
    assert (rested.fields["tier"], rested.fields["seconds"]) == ("mobile", 60)
    assert "hidden" not in f"{rested}{recovered}{secret!r}{chosen.health(secret)!r}"


class Book:
    """A database in a test's memory, which may be away."""

    def __init__(self) -> None:
        self.listed: tuple[Proxy, ...] = ()
        self.health: dict[str, ProxyHealth] = {}
        self.away = False

    async def load(self):
        if self.away:
            raise StoreError("away")
        return self.listed, dict(self.health)

    async def save(self, known):
        if self.away:
            raise StoreError("away")
        self.health.update({proxy.id: health for proxy, health in known})

    async def list_anew(self, proxies):
        self.listed = tuple(proxies)

    async def forget(self, proxy):
        self.health.pop(proxy.id, None)


async def test_health_outlives_the_workers():
    clock, book = ManualClock(), Book()
    first = pool(A, clock=clock, book=book)
    await fail(first, A)

    assert await pool(A, clock=clock, book=book).choose(HOST) is None


async def test_proxies_of_a_list_reach_every_worker_and_are_not_trusted():
    clock, book = ManualClock(), Book()
    first, second = pool(A, clock=clock, book=book), pool(A, clock=clock, book=book)
    await second.reload()
    await first.list_anew([replace(B, origin=ProxyOrigin.LIST)])
    clock.advance(31)
    await second.reload()

    assert [proxy.place for proxy in second.proxies] == [A.place, B.place]
    assert (second.is_trusted(A.place), second.is_trusted(B.place)) == (True, False)


async def test_one_that_is_on_no_list_any_more_is_not_remembered():
    listed, chosen = replace(B, origin=ProxyOrigin.LIST), pool(A, book=Book())
    await chosen.list_anew([listed])
    await chosen.checked(listed, None, "no answer")
    await chosen.checked(A, 0.2)
    await chosen.list_anew([])
    await chosen.reload(at_once=True)

    assert chosen.health(listed) == ProxyHealth()
    assert chosen.health(A).latency_ms == 200


async def test_a_database_that_is_away_changes_nothing_but_memory():
    clock, book = ManualClock(), Book()
    chosen = pool(A, B, clock=clock, book=book)
    book.away = True
    await fail(chosen, A)

    assert await chosen.choose(HOST) == B
    book.away = False
    clock.advance(31)
    await chosen.choose(HOST)
    assert book.health[A.id].rests == 1


async def test_only_proven_ones_are_live_and_the_quickest_comes_first():
    chosen = pool(A, B, C)
    await chosen.checked(A, 2.0)
    await chosen.checked(B, 0.1)
    await chosen.checked(C, None, "no answer")

    assert chosen.live() == [B, A]


async def test_a_rest_that_is_over_proves_nothing():
    clock = ManualClock()
    chosen = pool(A, clock=clock)
    await chosen.checked(A, None, "no answer")
    clock.advance(3600)

    assert chosen.live() == []
    assert await chosen.choose(HOST) == A


async def test_what_is_forgotten_begins_anew():
    chosen = pool(A)
    await fail(chosen, A)
    await chosen.forget(A)

    assert await chosen.choose(HOST) == A
    assert chosen.health(A) == ProxyHealth()


async def test_a_large_pool_finds_its_only_healthy_proxy():
    many = [make_proxy(f"10.1.{n // 250}.{n % 250}:80", ProxyOrigin.FILE) for n in range(600)]
    chosen = pool(*many)
    for proxy in many[:-1]:
        await chosen.checked(proxy, None, "dead")

    assert await chosen.choose(HOST) == many[-1]


uses = st.lists(
    st.tuples(
        st.sampled_from([HOST, OTHER, "c.example"]),
        st.sampled_from(list(Outcome)).map(lambda outcome: FetchEnd(outcome, "")) | st.just(DEAD),
        st.none() | st.floats(0, 100),
        st.integers(0, 3_600_000),
    ),
    max_size=60,
)


@given(uses)
def test_health_stays_within_its_bounds_whatever_happens(happenings):
    health, now = ProxyHealth(), 1_000_000
    for host, end, seconds, passing in happenings:
        before = health
        health = after_use(health, host, end, now, RULE, seconds=seconds)

        assert 0 <= health.score <= 1
        assert health.rests_until <= now + LONGEST_REST_MS
        assert bool(health.rests) == bool(health.rests_until)
        assert not (end is DEAD and health.score > before.score)
        if end.outcome is Outcome.OK:
            assert not health.is_resting(now)
            assert not health.is_shunned_by(host, now)
        now += passing


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_a_rest_follows_every_third_failure_in_a_row_and_nothing_rests_for_ever(answers):
    health, now, row = ProxyHealth(), 0, 0
    for good in answers:
        now = max(now + 1, health.rests_until)
        health = after_answer(health, now) if good else after_failure(health, "x", now, RULE)
        row = 0 if good else row + 1
        assert health.is_resting(now) or row < FAILURES
        assert not (good and health.is_resting(now))

    healed = after_answer(health, now + LONGEST_REST_MS)
    assert not healed.is_resting(now + LONGEST_REST_MS)
    assert after_failure(healed, "x", now, RULE).failures == 1


def test_the_memory_of_hosts_is_bounded_and_keeps_the_newest():
    health = ProxyHealth()
    for number in range(3 * MOST_COOLDOWNS):
        health = after_use(health, f"h{number}", FetchEnd(Outcome.BLOCKED, ""), number + 1, RULE)

    assert len(health.cooldowns) == MOST_COOLDOWNS
    assert f"h{3 * MOST_COOLDOWNS - 1}" in health.cooldowns


@pytest.mark.parametrize(
    ("written", "url", "place", "tier"),
    [
        ("1.2.3.4:8080", "http://1.2.3.4:8080", "1.2.3.4:8080", ""),
        ("proxy.example:3128 mobile", "http://proxy.example:3128", "proxy.example:3128", "mobile"),
        ("proxy.example:3128,Mobile", "http://proxy.example:3128", "proxy.example:3128", "mobile"),
        ("https://proxy.example", "https://proxy.example:443", "proxy.example:443", ""),
        ("http://u:p@1.2.3.4:80", "http://u:p@1.2.3.4:80", "1.2.3.4:80", ""),
        ("u:p@1.2.3.4:80", "http://u:p@1.2.3.4:80", "1.2.3.4:80", ""),
        ("1.2.3.4:80:u:p", "http://u:p@1.2.3.4:80", "1.2.3.4:80", ""),
        ("http://u:p%40ss%3A@1.2.3.4:80/", "http://u:p%40ss%3A@1.2.3.4:80", "1.2.3.4:80", ""),
        ("http://[2001:db8::1]:80", "http://[2001:db8::1]:80", "[2001:db8::1]:80", ""),
        ("HTTP://PROXY.Example:80", "http://proxy.example:80", "proxy.example:80", ""),
    ],
)
def test_a_proxy_is_read_in_all_the_usual_forms(written, url, place, tier):
    proxy = make_proxy(written, ProxyOrigin.FILE)

    assert (proxy.url, proxy.place, proxy.tier) == (url, place, tier)


@pytest.mark.parametrize(
    "written",
    ["", "nothing", "1.2.3.4", "socks5://1.2.3.4:1080", "http://h:80/path", "h:99999", "h:0",
     "a b c d", "http://u:p@h", "h:80 two words", "h:80 <b>", "http://u:p@h:80/x?y"],
)  # fmt: skip
def test_what_is_no_proxy_is_refused(written):
    with pytest.raises(ValueError, match=r"^(?!.*u:p)"):
        make_proxy(written, ProxyOrigin.LIST)


LINES = """# ours
1.2.3.4:80            # the first
u:p@1.2.3.5:80 residential

// a comment
socks5://1.2.3.6:1080
1.2.3.4:80
"""


def test_lines_comments_and_doubles():
    read = read_list(LINES, ProxyOrigin.FILE)

    assert [(p.place, p.tier) for p in read.proxies] == [
        ("1.2.3.4:80", ""),
        ("1.2.3.5:80", "residential"),
    ]
    assert read.skipped == 1


@pytest.mark.parametrize(
    "text",
    [
        '["1.2.3.4:80", "http://u:p@1.2.3.5:81"]',
        '[{"ip": "1.2.3.4", "port": 80}, {"url": "http://u:p@1.2.3.5:81"}]',
        '{"data": [{"ip": "1.2.3.4", "port": "80", "protocols": ["http"]},'
        ' {"host": "1.2.3.5", "port": 81, "username": "u", "password": "p"}]}',
        '{"proxies": ["1.2.3.4:80", "1.2.3.5:81:u:p", {"host": "x"}, 7]}',
    ],
)
def test_lists_in_json(text):
    read = read_list(text, ProxyOrigin.LIST)

    assert [p.url for p in read.proxies] == ["http://1.2.3.4:80", "http://u:p@1.2.3.5:81"]
    assert {p.origin for p in read.proxies} == {ProxyOrigin.LIST}


@given(st.text() | st.text(alphabet='[]{}":,http/@.1 \n'))
def test_reading_a_list_never_fails(text):
    read = read_list(text, ProxyOrigin.LIST)

    for proxy in read.proxies:
        assert make_proxy(proxy.url, ProxyOrigin.LIST).url == proxy.url
        assert "@" not in proxy.place


def test_a_list_without_end_is_cut():
    text = "\n".join(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}:80" for n in range(12_000))

    assert len(read_list(text, ProxyOrigin.LIST).proxies) == 10_000
    assert read_list("[" * 100_000, ProxyOrigin.LIST).proxies == ()
