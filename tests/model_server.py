"""A language model that is none: a real server on loopback that speaks the chat protocol."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Question = dict[str, Any]  # what the user message holds: product, fields, lines
Answers = list[dict[str, Any]]


@dataclass
class ModelServer:
    """Answers by ``answer``, or by the next of ``script`` while there is one.

    A script's entry is a web.Response, an exception to be raised, or a text to be said.
    """

    answer: Callable[[Question], Answers] = lambda question: []
    script: list[Any] = field(default_factory=list)
    key: str = ""
    delay_seconds: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def questions(self) -> list[Question]:
        return [json.loads(request["messages"][1]["content"]) for request in self.requests]

    @property
    def models(self) -> list[str]:
        return [request["model"] for request in self.requests]

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            refusal = f"Incorrect API key provided: {request.headers.get('Authorization')}"
            return web.json_response({"error": {"message": refusal}}, status=401)
        if request.method == "GET":
            return web.json_response({"data": [{"id": "small"}, {"id": "large"}]})
        asked = await request.json()
        self.requests.append(asked)
        self.headers.append(dict(request.headers))
        if self.delay_seconds:
            await asyncio.sleep(self.delay_seconds)
        if self.script:
            step = self.script.pop(0)
            step = step(asked) if callable(step) else step
            return step if isinstance(step, web.StreamResponse) else said(step)
        found = self.answer(json.loads(asked["messages"][1]["content"]))
        return said(json.dumps({"answers": found}))


def said(text: str, finish: str = "stop", prompt: int = 1_000, answer: int = 100) -> web.Response:
    """A chat answer with these words."""
    return web.json_response(
        {
            "choices": [
                {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
            ],
            "usage": {"prompt_tokens": prompt, "completion_tokens": answer},
        }
    )


@asynccontextmanager
async def serving(server: ModelServer) -> AsyncIterator[ModelServer]:
    """The server on a port of its own, in this event loop."""
    runner = web.ServerRunner(web.Server(server.handle), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", server.port).start()
    server.port = runner.addresses[0][1]
    try:
        yield server
    finally:
        await runner.cleanup()


@contextmanager
def serving_in_thread(server: ModelServer) -> Iterator[ModelServer]:
    """The server in a thread of its own, for commands in other processes."""
    up, loop = threading.Event(), asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        async with serving(server):
            up.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    assert up.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
