"""Room in the browser comes before the turn at a host, so that turns are not used in bunches."""

import asyncio
from itertools import pairwise
from random import Random

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch import FetchStation
from specfactory.fetch.ladder import Room
from specfactory.fetch.ladder.ways import Ways
from specfactory.model import FetchRequest, FetchResponse, HostCare, HostPolicy, Outcome, Rung, Tier
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies
from specfactory.testing import DirectReaders, ManualClock, ScriptedBrowser, ScriptedFetcher, answer

PAGE = "<title>Mouse</title>" + "<p>Weight: 54 g, and more to say.</p>" * 100
DELAY = 2.0


class SlowBrowser(ScriptedBrowser):
    """Pages of the slow host take until it is told; notes when each page was asked for."""

    def __init__(self, clock: ManualClock, places: int) -> None:
        super().__init__({})
        self._clock, self.told = clock, asyncio.Event()
        self._slots = asyncio.Semaphore(places)  # as the pool has, whoever asks
        self.busy, self._places = asyncio.Event(), places
        self.asked: list[tuple[str, float]] = []

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        async with self._slots:
            self.asked.append((request.url, self._clock.monotonic()))
            if len(self.asked) == self._places:
                self.busy.set()
            if "slow" in request.url:
                await self.told.wait()
            await asyncio.sleep(0)
        return answer(PAGE)


class InTheBrowser(HostPolicies):
    """Policies under which every page is opened in the browser."""

    async def of(self, host: str) -> HostPolicy:
        return HostPolicy(HostCare(rung=Rung.BROWSER))


def desk(clock: ManualClock, browser: SlowBrowser, places: int) -> FetchStation:
    ways = Ways(ScriptedFetcher({}), browser, 45.0, "", None, asyncio.Semaphore(places))

    state = MemoryState(clock)
    policies = InTheBrowser(state, clock)
    settings = FetchSettings(respect_robots=False, host_delay_seconds=DELAY, latency_factor=0)
    return FetchStation(ways, state, clock, settings, Random(1), DirectReaders(), policies=policies)


async def test_pages_that_waited_for_the_browser_keep_their_distance_at_their_host():
    clock = ManualClock()
    browser = SlowBrowser(clock, 2)
    station = desk(clock, browser, places=2)
    held = [
        asyncio.create_task(station.fetch_page(f"https://slow{n}.example/", Tier.RETAILER))
        for n in range(2)
    ]
    await asyncio.wait_for(browser.busy.wait(), 10)
    waiting = [
        asyncio.create_task(station.fetch_page(f"https://shop.example/{n}", Tier.RETAILER))
        for n in range(5)
    ]
    for _ in range(200):  # long enough for each of them to have its turn, if it took it now
        await asyncio.sleep(0)
    browser.told.set()
    pages = await asyncio.gather(*held, *waiting)

    assert {fetched.page.outcome for fetched in pages} == {Outcome.OK}
    times = [at for url, at in browser.asked if "shop" in url]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(gaps) == 4
    assert min(gaps) >= DELAY


async def test_who_waits_for_a_turn_lets_pages_of_other_hosts_into_the_browser():
    clock = ManualClock(jump=False)
    browser = SlowBrowser(clock, 1)
    station = desk(clock, browser, places=1)
    first = await station.fetch_page("https://shop.example/1", Tier.RETAILER)
    second = asyncio.create_task(station.fetch_page("https://shop.example/2", Tier.RETAILER))
    for _ in range(50):
        await asyncio.sleep(0)
    other = await asyncio.wait_for(station.fetch_page("https://b.example/", Tier.RETAILER), 10)

    assert (first.page.outcome, other.page.outcome) == (Outcome.OK, Outcome.OK)
    assert not second.done()
    clock.advance(DELAY)
    assert (await asyncio.wait_for(second, 10)).page.outcome is Outcome.OK


async def test_room_is_left_once_however_often_it_is_taken():
    places = asyncio.Semaphore(1)
    room = Room(ScriptedBrowser({}), places)
    await room.take()
    await room.take()
    assert places.locked()

    room.leave()
    room.leave()
    await asyncio.wait_for(places.acquire(), 10)
    assert places.locked()


async def test_page_is_fetched_without_a_browser_that_has_trouble():
    clock = ManualClock()
    browser = SlowBrowser(clock, 1)
    browser.trouble = "browser.executable (/bin/true) is no Chromium"
    station = desk(clock, browser, places=1)
    fetched = await station.fetch_page("https://shop.example/1", Tier.RETAILER)

    assert (fetched.page.outcome, fetched.page.rung) == (Outcome.NOT_FOUND, Rung.HTTP)
    assert browser.asked == []
