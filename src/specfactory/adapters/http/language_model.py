"""The LanguageModel port over the OpenAI-compatible endpoint: Ollama, Gemini, DeepSeek, OpenAI.

The endpoint alone is trusted, by host and port, exactly as the operator wrote it. Servers differ
in what they understand; a parameter that one refuses is left out from then on. The key goes into
one header and nowhere else: not into messages, not into logs.
"""

import contextlib
import json
import re
from typing import Any

import msgspec

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.errors import ModelFailed, SettingError
from specfactory.fetch.addresses import GatePolicy, parse_url
from specfactory.model import FetchResponse, Outcome
from specfactory.ports import Clock, Fetcher, LanguageModel, ModelReply, ModelRequest
from specfactory.redaction import HIDDEN
from specfactory.settings import FetchSettings

MAX_BYTES = 1_000_000
CHARS_PER_TOKEN = 4  # where the server does not count
_MAX_SAID = 300
_ADAPTATIONS = 4  # refusals of single parameters that one question may meet
_FORMATS = ("json_schema", "json_object", "")  # what is asked for, the strictest first
_KEY_LIKE = re.compile(r"\b(?:sk|key|Bearer)[-_ ][\w*.-]{6,}", re.I)


class OpenAiModel(LanguageModel):
    """Asks one model at one endpoint."""

    def __init__(
        self,
        endpoint: str,
        name: str,
        *,
        api_key: str = "",
        timeout_seconds: float = 60.0,
        fetcher: Fetcher | None = None,
        clock: Clock | None = None,
    ) -> None:
        try:
            target = parse_url(endpoint)
        except ValueError as problem:
            allowed = f"an http or https URL such as http://127.0.0.1:11434/v1 ({problem})"
            raise SettingError("model.endpoint", HIDDEN, allowed) from None
        self.name = name
        self.place = f"{target.host}:{target.port}"
        self._url = endpoint.rstrip("/") + "/chat/completions"
        self._key, self._timeout = api_key, timeout_seconds
        policy = GatePolicy(trusted=frozenset({(target.host, target.port)}))
        self._fetcher = fetcher or HttpFetcher(policy, clock=clock)
        self._format = 0
        self._refused: set[str] = set()  # parameters that this server does not know

    async def ask(self, request: ModelRequest) -> ModelReply:
        for _ in range(_ADAPTATIONS):
            response = await self._post(request)
            if response.status not in (400, 422) or not self._adapt(response):
                break
        return self._read(response, request)

    async def close(self) -> None:
        await self._fetcher.close()

    async def _post(self, request: ModelRequest) -> FetchResponse:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "stream": False,
        }
        if "temperature" not in self._refused:
            body["temperature"] = 0
        is_renamed = "max_tokens" in self._refused  # newer servers have another name for it
        body["max_completion_tokens" if is_renamed else "max_tokens"] = request.max_answer_tokens
        if wanted := _FORMATS[self._format]:
            body["response_format"] = {"type": wanted}
            if wanted == "json_schema":
                schema = {"name": "answers", "strict": True, "schema": request.schema}
                body["response_format"]["json_schema"] = schema
        return await self._fetcher.fetch(
            FetchSettings().request(
                self._url,
                headers,
                max_bytes=MAX_BYTES,
                timeout_seconds=self._timeout,
                max_redirects=0,
                post=msgspec.json.encode(body),
            )
        )

    def _adapt(self, response: FetchResponse) -> bool:
        """Leave out what the server says it does not know; False when it says something else."""
        said = _words(response.body).lower()
        for name in ("max_tokens", "temperature"):
            if name in said and name not in self._refused:
                self._refused.add(name)
                return True
        if re.search(r"response_?format|json_?schema", said) and _FORMATS[self._format]:
            self._format += 1
            return True
        return False

    def _read(self, response: FetchResponse, request: ModelRequest) -> ModelReply:
        if response.failure is not None:
            causes = {Outcome.TIMEOUT: "timeout", Outcome.TOO_LARGE: "too_large"}
            cause = causes.get(response.failure, "unreachable")
            raise self._failed(cause, response.failure_detail or "no answer")
        if response.status != 200:
            raise self._refusal(response)
        try:
            content = msgspec.json.decode(response.body)
            choice = content["choices"][0]
            text = choice["message"]["content"]
        except (msgspec.DecodeError, LookupError, TypeError, RecursionError, UnicodeError):
            raise self._failed("malformed", "its answer is not in the form of a chat") from None
        if not isinstance(text, str):
            raise self._failed("malformed", "its answer holds no text")
        usage = content.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        asked, said = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if not (isinstance(asked, int) and asked > 0):  # some servers do not count
            asked = (len(request.system) + len(request.user)) // CHARS_PER_TOKEN + 1
        if not (isinstance(said, int) and said >= 0):
            said = len(text) // CHARS_PER_TOKEN + 1
        return ModelReply(text, asked, said, choice.get("finish_reason") != "length")

    def _refusal(self, response: FetchResponse) -> ModelFailed:
        said = f"{response.status} {_words(response.body)}".strip()
        if response.status in (401, 403):
            advice = "the API key is refused; check the variable that model.api_key_env names"
            return self._failed("unauthorized", f"{advice} ({said})", permanent=True)
        written = response.headers.get("retry-after", "")
        # a date or nonsense is 0: our own pause will do
        is_number = re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", written)
        wait = min(float(written), 86_400.0) if is_number else 0.0
        if response.status == 429:
            return self._failed("rate_limited", said, wait_seconds=wait)
        if response.status >= 500 or response.status in (408, 409, 425):
            return self._failed("server_error", said, wait_seconds=wait)
        return self._failed("refused", said, permanent=True)

    def _failed(
        self, cause: str, said: str, *, permanent: bool = False, wait_seconds: float = 0.0
    ) -> ModelFailed:
        """A failure whose message holds no key, whatever the server sends back."""
        if self._key:
            said = said.replace(self._key, "…")
        said = _KEY_LIKE.sub("…", said)
        message = f"{self.name} at {self.place}: {said}"
        return ModelFailed(cause, message, permanent=permanent, wait_seconds=wait_seconds)


def _words(body: bytes) -> str:
    """The server's error message, in one line."""
    text = body[:20_000].decode("utf-8", "replace")
    with contextlib.suppress(ValueError, RecursionError):
        content = json.loads(text)
        if isinstance(content, list) and content:
            content = content[0]
        error = content.get("error", content) if isinstance(content, dict) else content
        found = error.get("message") if isinstance(error, dict) else error
        text = found if isinstance(found, str) and found else text
    return " ".join(text.split())[:_MAX_SAID]
