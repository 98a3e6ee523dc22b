"""What is known of proxies, kept in every database."""

from dataclasses import replace

from specfactory.fetch.proxies.list_formats import make_proxy
from specfactory.model import ProxyHealth, ProxyOrigin
from specfactory.model.proxy import HostCooldown
from specfactory.ports import Database
from specfactory.store.sites.proxies import Proxies

OURS = make_proxy("http://ann:hidden@10.0.0.1:80 mobile", ProxyOrigin.SETTINGS)
FIRST, SECOND, THIRD = (
    make_proxy(f"http://u:p@93.184.216.{n}:80", ProxyOrigin.LIST) for n in (9, 5, 7)
)
ILL = ProxyHealth(0.4, 3, 120.5, 1, 900, 800, 800, "no answer", "b.example",
                  {"a.example": HostCooldown(1, 1, 500, 400)})  # fmt: skip


async def test_health_comes_back_as_it_was_kept(db: Database) -> None:
    await Proxies(db).save([(OURS, ILL)])

    listed, health = await Proxies(db).load()
    assert (list(listed), health) == ([], {OURS.id: ILL})


async def test_the_newest_word_counts(db: Database) -> None:
    newer = replace(ILL, changed_at=900, score=0.9)
    await Proxies(db).save([(OURS, newer)])
    await Proxies(db).save([(OURS, ILL)])

    assert (await Proxies(db).load())[1] == {OURS.id: newer}


async def test_a_list_is_kept_in_its_order_and_replaced_whole(db: Database) -> None:
    proxies = Proxies(db)
    await proxies.list_anew([FIRST, SECOND])
    await proxies.save([(SECOND, ILL)])
    await proxies.list_anew([THIRD, SECOND])

    listed, health = await proxies.load()
    assert list(listed) == [THIRD, SECOND]
    assert health[SECOND.id] == ILL
    assert FIRST.id not in health


async def test_one_that_is_listed_no_more_is_not_brought_back_by_a_late_word(db: Database) -> None:
    proxies = Proxies(db)
    await proxies.list_anew([FIRST])
    await proxies.list_anew([])
    await proxies.save([(FIRST, ILL)])

    assert await proxies.load() == ([], {})


async def test_one_that_was_named_before_may_come_by_a_list(db: Database) -> None:
    proxies = Proxies(db)
    await proxies.save([(replace(FIRST, origin=ProxyOrigin.SETTINGS), ILL)])
    await proxies.list_anew([FIRST])

    assert await proxies.load() == ([FIRST], {FIRST.id: ILL})


async def test_the_operators_passwords_are_not_kept(db: Database) -> None:
    await Proxies(db).save([(OURS, ILL)])

    assert "hidden" not in str(await db.fetch("load_proxies"))


async def test_what_is_forgotten_is_gone(db: Database) -> None:
    await Proxies(db).save([(OURS, ILL)])
    await Proxies(db).forget(OURS)

    assert (await Proxies(db).load())[1] == {}
