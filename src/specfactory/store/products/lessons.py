"""Lessons of verified values: our confidence, and which kinds of votes were right."""

from collections.abc import Iterable, Mapping

import msgspec

from specfactory.model import Frozen, Method, Tier
from specfactory.ports import Transaction
from specfactory.store.base import Store

GOLDEN, REVIEW = "golden", "review"

Kind = tuple[Tier, Method]
Counts = tuple[int, int]  # right, wrong


class FieldLesson(Frozen):
    """A field whose truth became known: our confidence, and the votes by kind."""

    field: str
    confidence: float
    right: bool
    voices: Mapping[Kind, Counts] = msgspec.field(default_factory=dict)


class Lessons(Store):
    """Lessons by product and field; one from a golden value and one from a review."""

    async def learn(
        self, tx: Transaction, product_id: str, taught_by: str, lessons: Iterable[FieldLesson]
    ) -> None:
        """Keep lessons; an earlier one of the same origin about the same field is replaced."""
        for lesson in lessons:
            key = {"product_id": product_id, "field": lesson.field, "taught_by": taught_by}
            row = {**key, "confidence": lesson.confidence, "is_right": int(lesson.right)}
            await tx.execute("save_lesson", **row)
            await tx.execute("forget_lesson_voices", **key)
            rows = [
                {**key, "tier": tier, "method": method, "right_count": right, "wrong_count": wrong}
                for (tier, method), (right, wrong) in lesson.voices.items()
            ]
            await tx.execute_many("save_lesson_voices", rows)

    async def forget(self, tx: Transaction, product_id: str, field: str, taught_by: str) -> None:
        """Delete a lesson that was taken back."""
        key = {"product_id": product_id, "field": field, "taught_by": taught_by}
        await tx.execute("forget_lesson", **key)
        await tx.execute("forget_lesson_voices", **key)

    async def of_category(self, category: str) -> list[tuple[str, float, bool]]:
        """Every lesson as (field, confidence, right)."""
        rows = await self._db.fetch("lessons_of_category", category=category)
        return [(row["field"], row["confidence"], bool(row["is_right"])) for row in rows]

    async def voices(self, category: str) -> dict[Kind, Counts]:
        """Number of right and wrong votes of each kind."""
        rows = await self._db.fetch("voices_of_category", category=category)
        kinds = ((Tier(row["tier"]), Method(row["method"])) for row in rows)
        counts = ((int(row["right_count"]), int(row["wrong_count"])) for row in rows)
        return dict(zip(kinds, counts, strict=True))
