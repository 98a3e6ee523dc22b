"""Settings of the language model."""

from specfactory.model import Frozen
from specfactory.settings.declaring import VARIABLE, setting


class ModelSettings(Frozen):
    """The optional language model."""

    endpoint: str = setting(
        "", "OpenAI-compatible base URL; empty: none, the factory is complete", discreet=True
    )
    name: str = setting("", "model name at that endpoint")
    api_key_env: str = setting(
        "",
        "environment variable that holds the API key; empty: none is sent",
        form=VARIABLE,
        discreet=True,
    )
    second_name: str = setting(
        "", "a better model, asked only for what the first left open; empty: none"
    )
    second_endpoint: str = setting(
        "", "its base URL; empty: the same as of the first", discreet=True
    )
    second_api_key_env: str = setting(
        "", "its key's variable; empty: the same as of the first", form=VARIABLE, discreet=True
    )
    prices: tuple[str, ...] = setting(
        (),
        "cost of models in USD per million tokens as MODEL=INPUT/OUTPUT, such as "
        "my-model=0.15/0.60; they come before the built-in table",
    )
    daily_cost_usd: float = setting(5.0, "cost per day (UTC), all products together", 0, 100_000)
    daily_calls: int = setting(5_000, "calls per day (UTC), all products together", 0, 10**9)
    calls_per_minute: float = setting(30.0, "calls to one endpoint, all workers", 0.01, 100_000)
    calls_at_once: int = setting(3, "calls that may go out without a pause", 1, 1_000)
    timeout_seconds: float = setting(60.0, "longest time for one answer", 0.1, 600)
    tries: int = setting(3, "tries at one question: limits, time-outs, server errors", 1, 10)
    max_prompt_tokens: int = setting(4_000, "words of a page sent at once", 200, 100_000)
    max_answer_tokens: int = setting(1_500, "longest answer", 50, 100_000)
