"""Costs of language models: a price table in USD per million tokens."""

import re
from collections.abc import Mapping, Sequence

from specfactory.errors import SettingError
from specfactory.model import Frozen


class Price(Frozen):
    """USD per million tokens, of prompts and of answers."""

    question: float
    answer: float

    def micros(self, prompt_tokens: int, answer_tokens: int) -> int:
        """The cost in millionths of a dollar, rounded up, so that no call is free."""
        exact = prompt_tokens * self.question + answer_tokens * self.answer
        return -int(-exact // 1)


FREE = Price(0.0, 0.0)
# List prices of widely used models at the time of writing; ``model.prices`` comes before them.
KNOWN: Mapping[str, Price] = {
    "gemini-2.0-flash": Price(0.10, 0.40),
    "gemini-2.0-flash-lite": Price(0.075, 0.30),
    "gemini-2.5-flash": Price(0.30, 2.50),
    "gemini-2.5-flash-lite": Price(0.10, 0.40),
    "gemini-2.5-pro": Price(1.25, 10.00),
    "deepseek-chat": Price(0.28, 0.42),
    "deepseek-reasoner": Price(0.28, 0.42),
    "gpt-4o": Price(2.50, 10.00),
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
}
_WRITTEN = re.compile(r"(.+)=(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{3,8}|latest|preview|exp)$")


class PriceTable:
    """The operator's prices, then the built-in ones."""

    def __init__(self, written: Sequence[str] = ()) -> None:
        self._own: dict[str, Price] = {}
        for line in written:
            found = _WRITTEN.fullmatch(line.strip())
            if found is None:
                allowed = "MODEL=INPUT/OUTPUT in USD per million tokens, such as my-model=0.15/0.60"
                raise SettingError("model.prices", line, allowed)
            self._own[found[1].strip()] = Price(float(found[2]), float(found[3]))

    def of(self, model: str) -> Price | None:
        """The price of a model, also of a dated edition of it; None when unknown."""
        plain = model.rpartition("/")[2]
        names = (model, plain, _DATED.sub("", plain))
        tables: tuple[Mapping[str, Price], ...] = (self._own, KNOWN)
        return next((table[n] for table in tables for n in names if n in table), None)

    def micros(self, model: str, prompt_tokens: int, answer_tokens: int) -> int:
        """The cost of a call; a model without a price is self-hosted and free."""
        return (self.of(model) or FREE).micros(prompt_tokens, answer_tokens)
