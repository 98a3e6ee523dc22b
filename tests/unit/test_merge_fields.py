"""How candidates become one value with a confidence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import CompiledContract
from specfactory.merge import MergeKnowledge, merge
from specfactory.model import (
    Agreement,
    Candidate,
    Contract,
    Decision,
    DecisionAction,
    Evidence,
    Field,
    FieldType,
    Identity,
    Method,
    ReviewKind,
    Snippet,
    Tier,
    Tolerance,
    UnknownReason,
    Verdict,
    ViewName,
)
from tests.yardstick import within

NOW = 1_800_000_000_000
HOSTS = {
    "maker": Tier.MANUFACTURER,
    "lab": Tier.LAB,
    "lab2": Tier.LAB,
    "shop": Tier.RETAILER,
    "shop2": Tier.RETAILER,
    "shop3": Tier.RETAILER,
    "list": Tier.AGGREGATOR,
    "forum": Tier.COMMUNITY,
    "forum2": Tier.COMMUNITY,
}
FIELDS = {
    "weight": Field("weight", FieldType.NUMBER, unit="g", tolerance=Tolerance(absolute=1)),
    "sensor": Field("sensor", FieldType.TEXT),
    "name": Field("name", FieldType.TEXT, structured=("name",)),
    "rgb": Field("rgb", FieldType.BOOLEAN),
    "released": Field("released", FieldType.DATE),
    "latency": Field("latency", FieldType.NUMBER, unit="ms", source_dependent=True,
                     tolerance=Tolerance(absolute=0.05), tiers=(Tier.LAB,)),
    **{f"n{i}": Field(f"n{i}", FieldType.INTEGER) for i in range(12)},
}  # fmt: skip
COMPILED = CompiledContract(Contract("mouse", "1", "Mouse", FIELDS))


def candidate(host, value, field="weight", method=Method.TABLE, quote=None, seen_at=NOW, at=0):
    page = f"page-{host}"
    words = str(value) if quote is None else quote
    snippet = Snippet(page, ViewName.TEXT, 1, at, at + len(words), words)
    url = f"https://www.{host}.example/p"
    evidence = Evidence(page, url, HOSTS[host], method, (snippet,), seen_at=seen_at)
    return Candidate(field, value, evidence)


def merged(
    *candidates, decision=None, knowledge=None, identities=None, field="weight", least=0.7, **more
):
    decisions = {field: decision} if decision else {}
    results = merge(
        COMPILED, candidates, decisions, knowledge or MergeKnowledge(), identities or {}, least,
        NOW, **more,
    )  # fmt: skip
    return results[field]


def decided(action, value, field="weight", at=NOW, undone=None):
    return Decision(1, ReviewKind.FIELD, "p", field, action, value, "looked", "ann", at, undone)


@pytest.mark.parametrize(
    ("host", "expected"), [("maker", 0.95), ("lab", 0.93), ("shop", 0.85), ("forum", 0.60)]
)
def test_a_single_source_is_as_sure_as_its_tier(host, expected):
    assert merged(candidate(host, 54)).confidence == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("pair", [("maker", "shop"), ("shop", "shop2"), ("forum", "forum2")])
def test_two_independent_sources_that_agree_are_nearly_sure(pair):
    found = merged(*[candidate(host, 54) for host in pair])

    assert found.confidence >= 0.97
    assert found.agreement is Agreement.UNANIMOUS


def test_a_contradiction_lowers_the_confidence():
    found = merged(candidate("maker", 54), candidate("shop", 64))

    assert (found.value, found.agreement) == (54, Agreement.MAJORITY)
    assert 0.7 <= found.confidence < 0.95
    assert any("against it: 64 from shop.example" in line for line in found.reasons)


def test_a_maker_and_a_lab_outweigh_a_shop():
    found = merged(candidate("maker", 54), candidate("lab", 54), candidate("shop", 64))

    assert found.value == 54
    assert found.confidence > 0.9


def test_equal_sources_that_differ_are_a_conflict():
    found = merged(candidate("shop", 54), candidate("shop2", 64))

    assert (found.value, found.unknown_reason) == (None, UnknownReason.CONFLICT_UNRESOLVED)
    assert found.agreement is Agreement.CONFLICT
    assert found.flags == ("conflict — 54 (shop.example) vs 64 (shop2.example)",)
    assert {w.value for w in found.weighed} == {54, 64}


def test_two_shops_do_not_outvote_the_maker():
    found = merged(candidate("maker", 54), candidate("shop", 64), candidate("shop2", 64))

    assert found.value is None


def test_a_weak_value_waits_for_a_person():
    found = merged(candidate("forum", 54))

    assert (found.value, found.unknown_reason) == (None, UnknownReason.AWAITING_REVIEW)
    assert found.weighed[0].value == 54
    assert found.flags == ("low confidence — 54 at 0.60",)


def test_numbers_within_the_tolerance_are_one_value_and_never_averaged():
    found = merged(candidate("shop", 54), candidate("lab", 54.4), candidate("maker", 55))

    assert (len(found.weighed), found.value) == (1, 55)


def test_what_was_written_is_preferred_to_what_was_converted():
    found = merged(candidate("shop", 53.9, quote="1.9 oz"), candidate("shop2", 54, quote="54 g"))

    assert found.value == 54


def test_more_digits_are_preferred_within_a_tier():
    assert merged(candidate("shop", 54), candidate("shop2", 54.3)).value == 54.3


def test_a_more_precise_date_is_preferred_within_a_tier():
    found = merged(
        candidate("shop", "2024", "released"), candidate("shop2", "2024-04-25", "released"),
        field="released",
    )  # fmt: skip

    assert (found.value, found.agreement) == ("2024-04-25", Agreement.UNANIMOUS)


def test_text_is_compared_by_its_normal_form():
    found = merged(
        candidate("maker", "Focus Pro 35K", "sensor"), candidate("shop", "focus pro 35k", "sensor"),
        field="sensor",
    )  # fmt: skip

    assert (found.value, found.agreement) == ("Focus Pro 35K", Agreement.UNANIMOUS)


def test_one_host_counts_once():
    one = merged(candidate("shop", 54))
    two = merged(candidate("shop", 54), candidate("shop", 54, method=Method.PAIR, at=9))

    assert two.confidence == one.confidence
    assert two.agreement is Agreement.SINGLE


def test_a_host_that_contradicts_itself_is_believed_less():
    found = merged(candidate("maker", 54), candidate("maker", 64, method=Method.PATTERN, at=9))

    assert found.value == 54
    assert found.confidence < 0.9


def test_doubt_about_the_page_is_doubt_about_its_values():
    doubtful = {"page-maker": Identity(Verdict.SAME, 0.6, ())}

    assert merged(candidate("maker", 54), identities=doubtful).confidence < 0.8


def test_old_pages_and_running_text_weigh_less():
    fresh = merged(candidate("shop", 54)).confidence

    assert merged(candidate("shop", 54, seen_at=NOW - 10**11)).confidence < fresh
    assert merged(candidate("shop", 54, method=Method.PATTERN)).confidence < fresh


def test_measured_accuracy_replaces_the_tiers():
    knowledge = MergeKnowledge({("www.shop.example", "weight"): (0, 12)})
    praised = MergeKnowledge({("shop.example", "weight"): (200, 0)})

    assert merged(candidate("shop", 54), knowledge=knowledge).confidence < 0.5
    assert merged(candidate("shop", 54), knowledge=praised).confidence > 0.95


def test_a_field_that_sources_may_differ_in_keeps_them_all():
    found = merged(
        candidate("lab", 0.2, "latency"), candidate("lab2", 0.4, "latency"),
        candidate("maker", 0.1, "latency"), field="latency",
    )  # fmt: skip

    assert found.agreement is Agreement.SOURCE_DEPENDENT
    assert found.value in (0.2, 0.4)
    assert found.confidence >= 0.7
    assert len(found.weighed) == 3
    assert found.remarks[0].startswith("source_dependent — lab.example vs ")
    assert found.remarks[0].endswith(" disagree")
    assert found.flags == ()


def test_a_value_between_two_others_does_not_make_them_agree():
    found = merged(
        candidate("lab", 0.24, "latency"), candidate("lab2", 0.28, "latency"),
        candidate("maker", 0.20, "latency"), field="latency",
    )  # fmt: skip

    assert found.agreement is Agreement.SOURCE_DEPENDENT
    assert {c.value for c in found.candidates} == {0.2, 0.24, 0.28}


def test_a_copied_mistake_counts_once():
    right = [candidate("maker", 54), *[candidate("maker", 1, f"n{i}") for i in range(6)]]
    shop = [candidate("shop", 64), candidate("shop", 9, "n0"),
            *[candidate("shop", 1, f"n{i}") for i in range(1, 6)]]  # fmt: skip
    copy = [candidate("list", c.value, c.field) for c in shop]

    found = merged(*right, *shop, *copy)

    assert found.value == 54
    losing = found.weighed[1]
    assert "list.example: not counted, copies shop.example" in losing.reasons[1]
    assert found.confidence == merged(*right, *shop).confidence


def test_word_for_word_the_same_sentences_are_copies():
    long = "the very long words of number {} that nobody writes twice"
    shop = [candidate("shop", i, f"n{i}", quote=long.format(i)) for i in range(6)]
    copy = [candidate("shop2", i, f"n{i}", quote=long.format(i)) for i in range(6)]

    found = merged(*shop, *copy, field="n0")

    assert found.agreement is Agreement.SINGLE
    assert "word for word" in found.reasons[1]


def test_sources_that_agree_on_what_is_right_are_no_copies():
    everyone = [candidate(h, 1, f"n{i}") for h in ("maker", "shop", "list") for i in range(10)]

    found = merged(*everyone, field="n3")

    assert len(found.weighed[0].reasons) == 3
    assert not any("not counted" in line for line in found.reasons)


# -- decisions --------------------------------------------------------------------------------


def test_an_override_outranks_every_candidate():
    decision = decided(DecisionAction.OVERRIDE, 58)

    found = merged(candidate("maker", 54), decision=decision)

    assert (found.value, found.confidence) == (58, 1.0)
    assert (found.agreement, found.chosen) == (Agreement.OVERRIDE, None)
    assert found.weighed[0].value == 54
    assert found.reasons == ("override by ann: looked",)


def test_an_override_needs_no_candidate():
    assert merged(decision=decided(DecisionAction.OVERRIDE, 58)).value == 58


def test_an_undone_decision_does_not_hold():
    decision = decided(DecisionAction.OVERRIDE, 58, undone=NOW)

    assert merged(candidate("maker", 54), decision=decision).value == 54


def test_an_accepted_value_stays_with_its_proof():
    found = merged(candidate("forum", 54), decision=decided(DecisionAction.ACCEPT, 54))

    assert (found.value, found.confidence, found.flags) == (54, 1.0, ())
    assert found.chosen == candidate("forum", 54)


def test_newer_evidence_against_an_accepted_value_is_flagged():
    decision = decided(DecisionAction.ACCEPT, 54, at=NOW - 1000)

    found = merged(candidate("forum", 54, seen_at=NOW - 2000), candidate("maker", 64),
                   decision=decision)  # fmt: skip

    assert found.value == 54
    assert found.flags == (
        "accepted 54 is contradicted by newer evidence: 64 (maker.example)",
    )  # fmt: skip


def test_evidence_that_the_person_had_seen_is_not_flagged_again():
    decision = decided(DecisionAction.ACCEPT, 54)

    assert merged(candidate("shop", 54), candidate("maker", 64), decision=decision).flags == ()


def test_a_rejected_value_is_out_of_consideration():
    decision = decided(DecisionAction.REJECT, 64)

    found = merged(candidate("maker", 64), candidate("shop", 54), decision=decision)

    assert found.value == 54
    assert found.reasons[0] == "reject by ann: looked"


@pytest.mark.parametrize("value", [54, None])
def test_nothing_left_after_a_rejection_is_unknown(value):
    found = merged(candidate("maker", 54), decision=decided(DecisionAction.REJECT, value))

    assert (found.value, found.unknown_reason) == (None, UnknownReason.REJECTED_BY_REVIEW)


def test_a_decision_that_no_longer_fits_the_contract_is_flagged_and_ignored():
    decision = decided(DecisionAction.OVERRIDE, {"no": "number"})

    found = merged(candidate("maker", 54), decision=decision)

    assert found.value == 54
    assert "does not fit the contract" in found.flags[0]


# -- properties -------------------------------------------------------------------------------

HOST = st.sampled_from(sorted(HOSTS))
VALUES = st.sampled_from([40, 50, 50.5, 51, 51.5, 52, 64, 64.5])
METHODS = st.sampled_from([Method.TABLE, Method.PATTERN, Method.STRUCTURED])
CANDIDATES = st.lists(
    st.builds(candidate, HOST, VALUES, method=METHODS, at=st.integers(0, 50)),
    min_size=1,
    max_size=8,
)


@given(CANDIDATES, st.randoms())
def test_the_order_of_candidates_does_not_matter(candidates, random):
    shuffled = list(candidates)
    random.shuffle(shuffled)

    assert merged(*shuffled) == merged(*candidates)


@given(CANDIDATES)
def test_the_value_is_always_one_of_the_candidates(candidates):
    found = merged(*candidates, least=0.0)

    assert found.value is None or found.value in [c.value for c in candidates]
    assert {id(c) for c in found.candidates} == {id(c) for c in candidates}
    assert 0 <= found.confidence <= 1


@given(CANDIDATES, METHODS)
def test_another_source_that_agrees_never_lowers_the_confidence(candidates, method):
    used = {c.evidence.page_id for c in candidates}
    free = [host for host in HOSTS if f"page-{host}" not in used]
    before = merged(*candidates, least=0.0)
    if before.value is None or not free:
        return

    anchor = before.weighed[0].candidates[0].value
    after = merged(*candidates, candidate(free[0], anchor, method=method), least=0.0)

    assert after.confidence >= before.confidence


@given(st.lists(st.tuples(st.sampled_from(["maker", "shop", "lab"]), st.integers(0, 3)),
                min_size=12, max_size=12))  # fmt: skip
@settings(max_examples=60)
def test_a_copy_never_raises_a_confidence(draws):
    maker = [candidate("maker", 7, f"n{i}") for i, (host, _) in enumerate(draws) if host != "lab"]
    shop = [candidate("shop", 7 if v else 9, f"n{i}") for i, (_, v) in enumerate(draws)]
    if not any(c.value == 9 for c in shop if c.field in {m.field for m in maker}):
        return
    copy = [candidate("list", c.value, c.field) for c in shop]

    def confidences(*candidates):
        results = merge(COMPILED, candidates, {}, MergeKnowledge(), {}, 0.0, NOW)
        return {name: found.confidence for name, found in results.items()}

    without, with_copy = confidences(*maker, *shop), confidences(*maker, *shop, *copy)

    assert all(with_copy[name] <= without[name] for name in without)


def test_150_fields_of_six_candidates_take_little():
    fields = {f"f{i}": Field(f"f{i}", FieldType.INTEGER) for i in range(150)}
    compiled = CompiledContract(Contract("mouse", "1", "Mouse", fields))
    hosts = ["maker", "lab", "shop", "shop2", "list", "forum"]
    candidates = [candidate(h, 1 + (h == "forum"), f) for f in fields for h in hosts]

    with within(yards=3):
        merge(compiled, candidates, {}, MergeKnowledge(), {}, 0.7, NOW)


# --- several names ----------------------------------------------------------------------

NAMES = (
    candidate("shop", "Acme X100 Wireless Gaming Mouse (Black) with 35K DPI", "name"),
    candidate("shop2", "X100", "name"),
    candidate("lab", "Acme X100", "name"),
    candidate("shop3", "Shop Three", "name"),
    candidate("list", "View details", "name"),
    candidate("forum", "Acme", "name"),
)


def identity_words(text):
    words = text.split()
    return len({"Acme", "X100"} & set(words)) if "X100" in words else None


def test_names_of_different_lengths_agree_and_the_most_telling_is_published():
    found = merged(*NAMES, field="name", naming=identity_words)

    assert (found.value, found.agreement) == ("Acme X100", Agreement.UNANIMOUS)
    assert found.confidence > 0.97
    assert {c.value for c in found.candidates} == {c.value for c in NAMES[:3]}


@pytest.mark.parametrize("number", ["26205", "#26205", "B00X26205"])
def test_a_name_with_a_number_of_its_shop_gives_way_to_one_without(number):
    names = (
        candidate("shop", f"Acme X100 Optical Mouse {number}", "name"),
        candidate("shop2", "Acme X100 Optical USB Gaming Mouse", "name"),
    )

    assert merged(*names, field="name", naming=identity_words).value == names[1].value


def test_a_number_that_several_sources_have_in_the_name_is_part_of_it():
    names = (
        candidate("shop", "Acme X100 Mouse 26205", "name"),
        candidate("shop2", "Acme X100 Optical Gaming Mouse 26205", "name"),
    )

    assert merged(*names, field="name", naming=identity_words).value == names[0].value


@pytest.mark.parametrize("called", ["Buys.com - ", "Buys.com: ", "Kaufladen.co.uk | "])
def test_a_name_that_begins_with_a_sites_domain_gives_way_to_one_without(called):
    names = (
        candidate("shop", f"{called}Acme X100", "name"),
        candidate("shop2", "Acme X100 Optical USB Gaming Mouse", "name"),
    )

    assert merged(*names, field="name", naming=identity_words).value == names[1].value


def test_a_rejected_name_gives_way_to_the_next():
    decision = decided(DecisionAction.REJECT, "Acme X100", "name")

    found = merged(*NAMES, field="name", naming=identity_words, decision=decision)

    assert found.value == NAMES[0].value


def test_an_accepted_name_keeps_its_proof():
    decision = decided(DecisionAction.ACCEPT, "X100", "name")

    found = merged(*NAMES, field="name", naming=identity_words, decision=decision)

    assert (found.value, found.chosen) == ("X100", NAMES[1])


def test_texts_none_of_which_names_the_thing_are_rivals_as_before():
    found = merged(*NAMES[3:5], field="name", naming=identity_words)

    assert len(found.weighed) == 2
