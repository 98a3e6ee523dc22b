"""Buttons of consent walls: their words, and the marks of the tools that make them."""

from specfactory.word_lists import read_lists

_LISTS = read_lists("fetch/outcomes/data/consent_buttons.txt")
SUBJECTS = _LISTS["subjects"]
REFUSING = _LISTS["refusing"]
ACCEPTING = _LISTS["accepting"]
MAKERS_REFUSING = _LISTS["makers: refusing"]
MAKERS_ACCEPTING = _LISTS["makers: accepting"]
