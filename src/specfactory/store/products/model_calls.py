"""The language model's answers, kept by the hash of the question, and the ledger of its calls."""

from dataclasses import replace
from datetime import UTC, datetime

from msgspec.structs import asdict

from specfactory.model import Frozen, Instant, Spent
from specfactory.ports import ModelReply, Transaction
from specfactory.store.base import Store, compress, decompress, to_json

MICROS = 1_000_000  # costs are kept in millionths of a dollar, which add up without error


class ModelCall(Frozen):
    """One call: its purpose, result and cost."""

    at: Instant
    attempt_id: str
    product_id: str
    page_id: str
    model: str
    question: str  # the hash of model and prompt
    ended: str  # "ok", "truncated", or the cause of the failure
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost_micros: int = 0


class ModelCalls(Store):
    """Cached answers and the ledger of calls."""

    async def answer(self, question: str) -> ModelReply | None:
        """The cached answer to this question."""
        rows = await self._db.fetch("get_model_answer", question=question)
        if not rows:
            return None
        row = rows[0]
        text = decompress(bytes(row["answer"])).decode()
        return ModelReply(text, row["prompt_tokens"], row["answer_tokens"])

    async def keep(
        self, tx: Transaction, question: str, model: str, reply: ModelReply, at: Instant
    ) -> None:
        """Cache a readable answer; the first one stays."""
        answer = compress(reply.text.encode("utf-8", "replace"))
        tokens = {"prompt_tokens": reply.prompt_tokens, "answer_tokens": reply.answer_tokens}
        about = {"question": question, "model": model, "at": at}
        await tx.execute("save_model_answer", **about, **tokens, answer=answer)

    async def enter(self, tx: Transaction, call: ModelCall) -> None:
        """Enter a call in the ledger."""
        await tx.execute("add_model_call", day=day_of(call.at), **asdict(call))

    async def of_day(self, at: Instant) -> tuple[int, int]:
        """Calls of the day, and their cost in millionths of a dollar."""
        row = (await self._db.fetch("model_calls_of_day", day=day_of(at)))[0]
        return row["calls"], row["cost_micros"]

    async def spent_by(self, attempt_id: str, spent: Spent) -> Spent:
        """The spending of an attempt, with its calls as the ledger has them."""
        rows = await self._db.fetch("model_calls_of_attempt", attempt_id=attempt_id)
        return replace(
            spent,
            model_calls={row["model"]: row["calls"] for row in rows},
            model_tokens={
                row["model"]: (row["prompt_tokens"], row["answer_tokens"]) for row in rows
            },
            model_cost_usd=sum(row["cost_micros"] for row in rows) / MICROS,
        )

    async def note_spent(self, tx: Transaction, attempt_id: str, spent: Spent) -> None:
        """Write the spending into the attempt, also after its end."""
        await tx.execute("set_attempt_spent", id=attempt_id, spent=to_json(spent))


def day_of(at: Instant) -> str:
    """The day in UTC, as budgets count it."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
