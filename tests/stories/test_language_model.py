"""An operator sets a language model: what only prose holds is filled, proven and paid for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.model_server import ModelServer, serving_in_thread
from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace

KEY = "sk-story-secret-987654321"
WORDS = ("Creak", "Jitter", "Praise", "Grease", "Hump", "Drawer")  # a lab's, in no table
CONTRACT = {
    "category": "mouse",
    "version": "1.0.0",
    "title": "Mouse",
    "fields": {
        "weight": {
            "type": "number",
            "unit": "g",
            "level": "critical",
            "labels": {"en": ["Weight"]},
        },
        "feel": {"type": "text", "level": "expected", "labels": {"en": list(WORDS)}},
    },
}


def read(question: dict[str, Any]) -> list[dict[str, Any]]:
    """A model that reads prose: the sentence that has one of the words in it."""
    for line in question["lines"]:
        if found := re.search(rf"(?i)[^.]*\b(?:{'|'.join(WORDS)})\b[^.]*", line["text"]):
            quote = found[0].strip()
            return [
                {"field": "feel", "line": 1, "quote": "Words of no page", "value": "Words"},
                {"field": "feel", "line": line["line"], "quote": quote, "value": quote},
            ]
    return []


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with serving_in_thread(ModelServer(read, key=KEY)) as server:
        yield server


@pytest.fixture
def told(workspace: Workspace, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace with a contract of its own, whose settings name the model."""
    folder = workspace.folder / "contracts"
    folder.mkdir()
    (folder / "mouse.yaml").write_text(yaml.safe_dump(CONTRACT, sort_keys=False))
    workspace.change(
        contracts_dir="contracts",
        model={"endpoint": model.endpoint, "name": "small", "api_key_env": "STORY_KEY",
               "prices": ["small=1/2"], "calls_per_minute": 6000},
    )  # fmt: skip
    monkeypatch.setenv("STORY_KEY", KEY)
    return workspace


def test_what_only_prose_holds_is_filled_with_a_proof_and_a_price(told, model):
    made = told.spec("run", *VIPER_FLAGS, "--json").json

    feel = made["record"]["fields"]["feel"]
    assert feel["value"] != "unk", made["record"]["fields"]
    assert feel["provenance"]["extraction_method"] == "llm_extract"
    assert feel["provenance"]["quote"]
    calls = made["ledger"]["actual"]["llm_calls"]["small"]
    assert calls == len(model.requests) >= 1
    assert made["ledger"]["actual"]["llm_cost"]["small_input_tokens"] == 1_000 * calls
    assert made["ledger"]["actual"]["llm_cost"]["total_usd"] == pytest.approx(0.0012 * calls)
    assert made["record"]["metrics"]["llm_cost_usd"] == pytest.approx(0.0012 * calls)
    audit = told.spec("audit", "--all", "--json").json
    assert (audit["failures"], audit["proven"]) == ([], 2)
    explained = told.spec("explain", VIPER, "feel", "--json").json
    assert explained["candidates"][0]["model"] == "small"
    assert "llm_extract (small)" in told.spec("explain", VIPER, "feel").out
    assert model.questions[0]["fields"][0]["field"] == "feel"  # and never the weight
    assert all(len(question["fields"]) == 1 for question in model.questions)


def test_progress_is_shown_and_the_model_can_be_left_out(told, model):
    without = told.spec("run", *VIPER_FLAGS, "--no-language-model")
    assert model.requests == []
    assert "asking" not in without.out

    shown = told.spec("run", *VIPER_FLAGS)
    assert "asking small about" in shown.out
    assert "1 proven" in shown.out
    again = told.spec("run", *VIPER_FLAGS)
    assert "asking" not in again.out


def test_a_wrong_key_is_told_and_the_record_stands_without(told, model, monkeypatch):
    monkeypatch.setenv("STORY_KEY", f"{KEY}-wrong")

    ended = told.spec("run", *VIPER_FLAGS)

    assert "the API key is refused" in ended.err
    assert "model.api_key_env" in ended.err
    assert "1 of 2 fields filled" in ended.out
    assert KEY not in ended.err + ended.out
    assert KEY.encode() not in told.database.read_bytes()


def test_an_endpoint_that_is_away_is_told_and_the_record_stands_without(told):
    told.change(model={"endpoint": "http://127.0.0.1:9/v1", "tries": 1})

    ended = told.spec("run", *VIPER_FLAGS)

    assert "its fields stay open" in ended.err
    assert "1 of 2 fields filled" in ended.out


def test_a_spent_budget_asks_nothing_and_says_why_the_field_is_open(told, model):
    made = told.spec("run", *VIPER_FLAGS, "--max-model-calls", "0", "--json").json

    assert made["record"]["fields"]["feel"]["unknown_reason"] == "budget_exhausted"
    assert model.requests == []


def test_a_worker_asks_in_a_job_of_its_own(told, model):
    told.spec("queue", "add", *VIPER_FLAGS)
    told.spec("worker", "--drain")

    jobs = {job["kind"]: job for job in told.spec("queue", "list", "--json").json}
    assert jobs["model"]["status"] == "complete", jobs
    shown = told.spec("record", "show", VIPER, "--field", "feel", "--json").json
    assert shown["provenance"]["extraction_method"] == "llm_extract"
    assert KEY.encode() not in told.database.read_bytes()


def test_doctor_says_what_it_found_at_the_endpoint(told, monkeypatch):
    def found() -> dict[str, str]:
        ended = told.spec("doctor", "--json", check=False)
        assert KEY not in ended.out
        return next(finding for finding in ended.json if finding["check"] == "model")

    assert found()["state"] == "ok"
    assert "$1/$2 a million tokens" in found()["found"]
    told.change(model={"name": "huge"})
    assert (found()["state"], found()["mend"]) == ("warn", "there are: large, small")
    monkeypatch.setenv("STORY_KEY", "")
    assert "API key is refused" in found()["found"]
    assert "STORY_KEY" in found()["mend"]
    told.change(model={"name": ""})
    assert found()["state"] == "fail"


def test_an_endpoint_without_a_models_name_is_misuse(workspace: Workspace):
    ended = workspace.spec("--set", "model.endpoint=http://127.0.0.1:9/v1", "run", *VIPER_FLAGS,
                           check=False)  # fmt: skip

    assert ended.code == 2
    assert "model.name" in ended.err
