"""A person answers what the factory could not settle, and the answer holds."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import zstandard

from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace


@pytest.fixture
def copy(made: Workspace, tmp_path: Path) -> Workspace:
    """A workspace of its own with the Viper's record in it."""
    (tmp_path / "specfactory.yaml").write_text(made.settings.read_text())
    with sqlite3.connect(made.database) as old, sqlite3.connect(tmp_path / "factory.db") as new:
        old.backup(new)
    return Workspace(tmp_path)


def field(workspace: Workspace, name: str) -> dict[str, object]:
    return workspace.spec("record", "show", VIPER, "--field", name, "--json").json


def test_an_override_outranks_every_candidate_and_survives_a_crawl(copy: Workspace) -> None:
    copy.spec(
        "review", "override", VIPER, "weight", "--value", "61", "--reason", "weighed", "--by", "ann"
    )

    assert field(copy, "weight")["value"] == 61
    copy.spec("run", *VIPER_FLAGS, "--refresh")
    overridden = field(copy, "weight")
    assert (overridden["value"], overridden["agreement"]) == (61, "override")
    assert overridden["provenance"]["decided_by"] == "ann"  # type: ignore[index]
    assert copy.spec("audit", VIPER, "--json").json["failures"] == []


def test_an_override_is_read_in_any_unit_of_the_contract(copy: Workspace) -> None:
    copy.spec("review", "override", VIPER, "weight", "--value", "0.06 kg", "--reason", "data sheet")

    assert field(copy, "weight")["value"] == 60


@pytest.mark.parametrize("value", ["9 kg", "heavy", "", "60 mm"])
def test_an_override_must_fit_the_contract(copy: Workspace, value: str) -> None:
    before = field(copy, "weight")

    refused = copy.spec(
        "review", "override", VIPER, "weight", "--value", value, "--reason", "x", check=False
    )

    assert refused.code == 2
    assert len(refused.err.splitlines()) == 1
    assert field(copy, "weight") == before


def test_undoing_an_override_brings_the_proven_value_back(copy: Workspace) -> None:
    before = field(copy, "weight")
    copy.spec("review", "override", VIPER, "weight", "--value", "61", "--reason", "weighed")

    copy.spec("review", "undo", VIPER, "weight")

    assert field(copy, "weight") == before
    history = copy.spec("review", "history", VIPER, "--json").json
    assert [(d["action"], bool(d["undone_at"])) for d in history] == [("override", True)]
    versions = copy.spec("record", "history", VIPER, "--json").json["versions"]
    assert [c["kind"] for c in versions[-2]["changes"]] == ["overridden"]
    assert "undone" in versions[-1]["changes"][0]["why"]
    old = copy.spec(
        "record", "show", VIPER, "--version", str(versions[-2]["version"]), "--field", "weight",
        "--json",
    ).json  # fmt: skip
    assert (old["value"], old["provenance"]["reason"]) == (61, "weighed")  # who decided is kept
    assert old["provenance"]["decided_at"]


def test_a_question_goes_when_the_reason_for_it_goes(copy: Workspace) -> None:
    def asked() -> list[str]:
        return [r["field"] for r in copy.spec("review", "list", VIPER, "--json").json]

    before = asked()
    measured = field(copy, "weight_measured")["value"]
    far = str(30 if measured > 100 else 200)  # type: ignore[operator]

    copy.spec("review", "override", VIPER, "weight", "--value", far, "--reason", "typing error")
    assert "weight_measured" in asked()  # measured_weight_near fails
    assert "weight" not in asked()  # its value is a person's word
    copy.spec("review", "undo", VIPER, "weight")
    assert asked() == before


def test_the_record_names_the_answer_that_holds(copy: Workspace) -> None:
    for who in ("ann", "bob"):
        flags = ("--value", "61", "--reason", f"{who} weighed it", "--by", who)
        copy.spec("review", "override", VIPER, "weight", *flags)

    assert field(copy, "weight")["provenance"]["decided_by"] == "bob"  # type: ignore[index]
    copy.spec("review", "undo", VIPER, "weight")
    assert field(copy, "weight")["provenance"]["decided_by"] == "ann"  # type: ignore[index]


@pytest.mark.parametrize("number", ["999", "9" * 30, "9" * 5000])
def test_a_number_of_no_question_is_misuse(copy: Workspace, number: str) -> None:
    ended = copy.spec("review", "show", number, check=False)

    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1


def test_a_rejected_value_is_not_published_again(copy: Workspace) -> None:
    wrong = field(copy, "weight")["value"]

    copy.spec("review", "reject", VIPER, "weight", "--reason", "value of a sibling")

    assert field(copy, "weight")["value"] != wrong
    copy.spec("run", *VIPER_FLAGS)
    assert field(copy, "weight")["value"] != wrong


@pytest.fixture
def strict(copy: Workspace) -> Workspace:
    """The same workspace, in which less is sure enough to be published unseen."""
    copy.spec("--set", "publish.min_confidence=0.95", "run", *VIPER_FLAGS)
    return copy


def test_an_accepted_question_is_closed_and_stays_closed(strict: Workspace) -> None:
    copy = strict
    first = copy.spec("review", "list", "--json").json[0]

    copy.spec("review", "accept", str(first["review"]))

    assert field(copy, first["field"])["value"] == first["proposed"]
    copy.spec("run", *VIPER_FLAGS, "--refresh")
    still_open = copy.spec("review", "list", VIPER, "--json").json
    assert first["field"] not in [r["field"] for r in still_open]


def test_sure_proposals_are_accepted_together(strict: Workspace) -> None:
    asked = strict.spec("review", "list", VIPER, "--json").json
    sure = [r for r in asked if r["confidence"] >= 0.9]
    assert 0 < len(sure) < len(asked)

    said = strict.spec("review", "accept", "--all-of", "field", "--above", "0.9").out

    history = strict.spec("review", "history", VIPER, "--json").json
    assert {(d["field"], d["action"]) for d in history} == {(r["field"], "accept") for r in sure}
    assert f"accepted {len(sure)} questions of kind field" in said
    assert said.count("published version") == 1
    assert field(strict, sure[0]["field"])["value"] == sure[0]["proposed"]


def test_what_sources_may_differ_in_is_no_question(copy: Workspace) -> None:
    record = copy.spec("record", "show", VIPER, "--json").json
    differing = {
        name for name, one in record["fields"].items()
        if one.get("agreement") == "source_dependent"
    }  # fmt: skip
    assert differing, "the labs of the demo web measure differently"

    asked = copy.spec("review", "list", VIPER, "--json").json
    assert not [r["field"] for r in asked if r["reason"].startswith("source_dependent")]
    assert [r["worth"] for r in asked] == sorted((r["worth"] for r in asked), reverse=True)
    assert differing <= {flag["field"] for flag in record["review_flags"]}


@pytest.mark.parametrize("given", [(), ("1", "--all-of", "field"), ("--all-of", "host")])
def test_what_is_accepted_must_be_named_once(copy: Workspace, given: tuple[str, ...]) -> None:
    refused = copy.spec("review", "accept", *given, check=False)

    assert refused.code == 2
    assert len(refused.err.splitlines()) == 1


def test_verified_values_measure_the_record(copy: Workspace) -> None:
    truth = {"weight": field(copy, "weight")["value"], "length": "7 cm"}
    (copy.folder / "truth.json").write_text(json.dumps(truth))

    copy.spec("golden", "set", VIPER, "--file", "truth.json")

    shown = copy.spec("golden", "show", VIPER, "--json").json
    assert shown["accuracy"] == 0.5
    assert [w["field"] for w in shown["wrong"]] == ["length"]


def test_any_of_several_verified_values_is_right(copy: Workspace) -> None:
    truth = {"length": {"any": ["7 cm", field(copy, "length")["value"]]}}
    (copy.folder / "truth.json").write_text(json.dumps(truth))

    copy.spec("golden", "set", VIPER, "--file", "truth.json")

    assert copy.spec("golden", "show", VIPER, "--json").json["wrong"] == []
    assert "70 or " in copy.spec("golden", "show", VIPER).out


def test_one_changed_digit_in_a_stored_page_is_found_and_the_value_named(copy: Workspace) -> None:
    weight = field(copy, "weight")
    proof = weight["provenance"]
    assert isinstance(proof, dict)
    words = str(weight["value"])
    other = str(int(words[0]) % 9 + 1) + words[1:]

    with sqlite3.connect(copy.database) as db:
        page = "SELECT content_hash FROM pages WHERE id = ?"
        (digest,) = db.execute(page, (proof["page_id"],)).fetchone()
        stored = "SELECT body FROM bodies WHERE content_hash = ?"
        (packed,) = db.execute(stored, (digest,)).fetchone()
        text = zstandard.ZstdDecompressor().decompress(packed).decode()
        changed = text.replace(words, other)
        body = zstandard.ZstdCompressor(write_checksum=True).compress(changed.encode())
        db.execute("UPDATE bodies SET body = ? WHERE content_hash = ?", (body, digest))

    audit = copy.spec("audit", VIPER, "--json", check=False)
    assert audit.code == 1
    assert "weight" in [failure["field"] for failure in audit.json["failures"]]
    assert "weight" in copy.spec("audit", "--all", check=False).out


def test_verified_values_and_answers_teach_what_confidence_means(copy: Workspace) -> None:
    truth = {"weight": field(copy, "weight")["value"], "length": "7 cm"}
    (copy.folder / "truth.json").write_text(json.dumps(truth))
    copy.spec("golden", "set", VIPER, "--file", "truth.json")
    copy.spec("run", *VIPER_FLAGS, "--refresh")

    taught = copy.spec("golden", "reliability", "mouse", "--json").json

    assert taught["verified"] == 2
    assert sum(each["answers"] for each in taught["reliability"]) == 2
    assert taught["threshold"] is None
    assert "2 verified values of mouse" in copy.spec("golden", "reliability", "mouse").out
