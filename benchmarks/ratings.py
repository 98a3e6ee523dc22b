"""Ratings as pages write them: ``4,5 de 5``, ``4.8 (178)``, ``9/10``, ``★★★★☆``."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_WORDS = 600


class RatingRead(NamedTuple):
    """A rating, and the best that could be given where the words say it."""

    value: float | None
    best: float | None = None


_NUMBER = r"(?<![\d.,])\d{1,4}(?:[.,]\d{1,6})?(?!\d)"
_OUT_OF = (
    r"(?:/|out of|of a possible|of|from|von|aus|sur|su|de|di|sobre|van|uit|av|af|på|z|ze|od|из|от|"
    r"/\s?από|από|üzerinden|dari|trên|จาก|من|מתוך|中|满分|满点)"
)
_SCALED = re.compile(
    rf"(?P<value>{_NUMBER})\s{{0,3}}(?:stars?\s)?{_OUT_OF}\s{{0,3}}(?P<best>{_NUMBER})", re.I
)
_STARRED = re.compile(
    rf"(?P<value>{_NUMBER})[\s-]{{0,3}}(?:stars?|sterne?n?|étoiles?|estrellas?|estrelas?|stelle?|"
    r"sterren?|stjärnor|stjerner|gwiazd\w*|звезд\w*|hvězd\w*|yıldız|星|つ星|★)",
    re.I,
)
_PLAIN = re.compile(_NUMBER)
_FULL, _HALF, _EMPTY = "★⭐🌟", "⯪⯨½", "☆✩"
_MOST_STARS = 10


def read_rating(words: str) -> RatingRead:
    """The rating that the words give: one with its scale first, then the first number.

    Words without a number may still show stars, full and empty.
    """
    text = " ".join(words[:MAX_WORDS].split())
    scaled = _SCALED.search(text)
    if scaled and _number(scaled["value"]) <= _number(scaled["best"]) > 0:
        return RatingRead(_number(scaled["value"]), _number(scaled["best"]))
    found = _STARRED.search(text) or _PLAIN.search(text)
    if found is None:
        return _stars(text)
    return RatingRead(_number(found["value"] if found.re is _STARRED else found[0]))


def _number(digits: str) -> float:
    return float(digits.replace(",", "."))


def _stars(text: str) -> RatingRead:
    """Stars that are drawn with characters, when the empty ones say how many there are."""
    full = sum(text.count(star) for star in _FULL)
    half = sum(text.count(star) for star in _HALF)
    empty = sum(text.count(star) for star in _EMPTY)
    best = full + half + empty
    if not full + empty or best > _MOST_STARS or (not empty and best != 5):
        return RatingRead(None)
    return RatingRead(full + half / 2, float(best))
