"""The docs say what the code does: nothing undocumented, nothing out of date, no dead link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import specfactory.model as model
from specfactory.declared_events import EVENTS
from specfactory.entry.reference import WORDS, commands, pages
from specfactory.settings import describe

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
COMMANDS = dict(commands())
LEAVES = {name: command for name, command in COMMANDS.items() if not hasattr(command, "commands")}
MARKDOWN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Decisions and the changelog tell of other times; what they name may be gone or not be there yet.
PRESENT = [p for p in MARKDOWN if p.parent.name != "decisions" and p.name != "CHANGELOG.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INLINE_COMMAND = re.compile(r"`(?:\.venv/bin/)?(spec(?: [^`]+)?)`")
INLINE_OPTION = re.compile(r"`(--[a-z][a-z-]*[a-z])[ `]")


def _options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if parameter.param_type_name == "option":
            yield from (*parameter.opts, *parameter.secondary_opts)


@pytest.mark.parametrize("name", sorted(pages()))
def test_the_reference_is_up_to_date(name: str) -> None:
    assert (REFERENCE / name).read_text(encoding="utf-8") == pages()[name], "run: make docs"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_is_documented(name: str) -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    _, _, section = page.partition(f"## `{name}`\n")

    section = section.partition("\n## ")[0]

    assert section
    for option in _options(COMMANDS[name]):
        assert f"`{option}" in section


@pytest.mark.parametrize("name", sorted(LEAVES))
def test_every_command_says_what_it_does_and_gives_an_example_of_itself(name: str) -> None:
    words = LEAVES[name].help or ""

    assert words.split("\n")[0].endswith(".")
    assert f"Example: {name}" in words.replace("Example: spec --set", "Example: spec")
    assert all(getattr(parameter, "help", "") for parameter in LEAVES[name].params)


@pytest.mark.parametrize(
    "name", sorted(name for name in LEAVES if "--json" in _options(LEAVES[name]))
)
def test_every_shape_of_json_output_is_documented(name: str) -> None:
    assert f"## `{name}" in (REFERENCE / "json.md").read_text(encoding="utf-8")


def test_every_setting_is_documented() -> None:
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")

    for setting in describe():
        assert f"| `{setting.path}` | `{setting.variable}` |" in page


def test_every_event_is_documented_with_what_it_carries() -> None:
    page = (REFERENCE / "events.md").read_text(encoding="utf-8")

    for kind in EVENTS.values():
        line = next(line for line in page.splitlines() if line.startswith(f"| `{kind.name}`"))
        assert all(f"`{field}`" in line for field in kind.carries)


def test_every_word_of_the_model_has_a_meaning() -> None:
    explained = {word for _, words in WORDS.values() for word in words}
    kinds = {type(word) for word in explained}

    assert {model.Outcome, model.UnknownReason, model.Verdict, model.AttemptStatus} <= kinds
    for kind in kinds:
        assert set(kind) <= explained


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        if anchor:
            assert anchor in _anchors(found), target


def _anchors(page: Path) -> set[str]:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_shown_in_the_docs_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    for line in re.findall(r"^(?:\.venv/bin/)?(spec .+)$", text, re.MULTILINE):
        words = re.sub(r" --set \S+| --config \S+", "", line).split()
        command = next((n for n in (" ".join(words[:3]), " ".join(words[:2])) if n in LEAVES), None)
        assert command, line
        for option in re.findall(r" (--[a-z-]+)", re.sub(r'"[^"]*"|#.*', "", line)):
            known = {*_options(LEAVES[command]), *_options(COMMANDS["spec"])}
            assert option in known, line


@pytest.mark.parametrize("page", PRESENT, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_named_in_a_sentence_exist(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    options = {option for command in COMMANDS.values() for option in _options(command)}

    for line in INLINE_COMMAND.findall(text):
        words = re.sub(r'"[^"]*"| --set \S+| --config \S+', "", line).split()
        name = max((n for n in COMMANDS if n.split() == words[: len(n.split())]), key=len)
        more = words[len(name.split()) :]
        assert name in LEAVES or not more or more[0].startswith("-"), line
        known = {*_options(COMMANDS[name]), *_options(COMMANDS["spec"])}
        assert {word for word in more if re.fullmatch(r"--[a-z-]+", word)} <= known, line
    assert set(INLINE_OPTION.findall(text)) <= options


@pytest.mark.parametrize(
    "guide", sorted((ROOT / "docs" / "guides").glob("*.md")), ids=lambda page: page.stem
)
def test_the_readme_names_every_guide(guide: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert f"(docs/guides/{guide.name})" in readme
