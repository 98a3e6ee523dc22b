"""A label is added to a contract file; everything else in it stays as it was."""

from __future__ import annotations

import pytest

from specfactory.contract import add_label, parse_contract, remove_label
from specfactory.errors import ContractError, UnknownSubject, UsageError

FILE = """# ours
category: anvil
version: 1.0.0
title: Anvil
fields:
  gtin:   # the code
    type: text
    labels: {en: [GTIN, EAN], de: [Strichcode]}  # as printed
  weight:
    type: number
    unit: kg
    labels:
      en:
        - Weight   # bare
      # more to come
      de: [Gewicht]
  finish: {type: text, labels: [Finish]}
  horn:
    type: text

# the end
"""


@pytest.mark.parametrize(
    ("field", "label", "language", "line"),
    [
        ("gtin", "Product UPC", "en", "labels: {en: [GTIN, EAN, Product UPC], de: [Strichcode]}"),
        ("gtin", "Code: EAN", "fr", "[Strichcode], fr: ['Code: EAN']}  # as printed"),
        ("weight", "Heft", "en", "        - Heft"),
        ("weight", "Masse", "de", "      de: [Gewicht, Masse]"),
        ("weight", "Poids", "fr", "      fr: [Poids]"),
        ("finish", "Coating", "en", "  finish: {type: text, labels: [Finish, Coating]}"),
        ("horn", "Beak", "en", "    labels: {en: [Beak]}"),
    ],
)
def test_a_label_is_added_and_nothing_else_changes(
    field: str, label: str, language: str, line: str
) -> None:
    changed = add_label(FILE, "anvil.yaml", field, label, language)

    assert line in changed
    assert label in parse_contract(changed, "anvil.yaml").fields[field].labels[language]
    assert all(old in changed for old in ("# ours", "# the code", "# bare", "# the end"))
    added = [new for new in changed.splitlines() if new not in FILE.splitlines()]
    assert len(added) == 1


@pytest.mark.parametrize(
    ("field", "label", "language"),
    [
        ("gtin", "Product UPC", "en"), ("gtin", "Code: EAN", "fr"), ("weight", "Heft", "en"),
        ("weight", "Masse", "de"), ("weight", "Poids", "fr"), ("finish", "Coating", "en"),
        ("horn", "Beak", "en"),
    ],
)  # fmt: skip
def test_what_was_added_can_be_removed(field: str, label: str, language: str) -> None:
    added = add_label(FILE, "anvil.yaml", field, label, language)

    assert remove_label(added, "anvil.yaml", field, label, language) == FILE


def test_the_first_and_the_last_label_of_a_field_can_be_removed() -> None:
    without = remove_label(FILE, "anvil.yaml", "gtin", "GTIN")
    bare = remove_label(FILE, "anvil.yaml", "finish", "Finish")

    assert "labels: {en: [EAN], de: [Strichcode]}  # as printed" in without
    assert "  finish: {type: text}\n" in bare
    with pytest.raises(UsageError, match="no label 'Beak'"):
        remove_label(FILE, "anvil.yaml", "horn", "Beak")


def test_what_cannot_be_added_is_said() -> None:
    with pytest.raises(UsageError, match="already"):
        add_label(FILE, "anvil.yaml", "gtin", "EAN")
    with pytest.raises(UnknownSubject, match="horns"):
        add_label(FILE, "anvil.yaml", "horns", "Beak")
    with pytest.raises(ContractError, match="already names"):
        add_label(FILE, "anvil.yaml", "gtin", "Weight")
