"""Golden pages: a folder per case, with the page and what must come out of it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from specfactory.contract import (
    CompiledContract,
    compile_contract,
    find_contract,
    make_product,
    value_to_json,
)
from specfactory.merge import MergeKnowledge, merge
from specfactory.model import Outcome, Page, Tier
from specfactory.orchestrate.pages.product_reading import read_page
from specfactory.proof import PageViews, prove

CASES = sorted(file.parent for file in Path(__file__).parent.glob("*/case.yaml"))


@cache
def mouse() -> CompiledContract:
    return compile_contract(find_contract("mouse"))


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_page_gives_what_a_person_reads_on_it(folder: Path) -> None:
    case = yaml.safe_load((folder / "case.yaml").read_text("utf-8"))
    body = (folder / "page.html").read_bytes()
    page = Page(
        "page-1", case["url"], case["url"], case["url"].split("/")[2], Tier(case["tier"]), 1,
        Outcome.OK, "", 200, content_hash=sha256(body).hexdigest(), media_type="text/html",
    )  # fmt: skip

    reading = read_page(make_product("mouse", **case["product"]), mouse(), (), page, body)
    identities = {page.id: reading.identity}
    merged = merge(mouse(), reading.candidates, {}, MergeKnowledge(), identities, 0.0, 1)

    assert reading.identity.verdict == case["verdict"], reading.identity.reasons
    found = {name: value_to_json(result.value) for name, result in merged.items()}
    assert {name: found.get(name) for name in case["expected"]} == case["expected"]
    assert not set(case.get("absent", ())) & set(found)
    views = PageViews(page, body)
    assert [p for c in reading.candidates if (p := prove(c, mouse(), views))] == []
