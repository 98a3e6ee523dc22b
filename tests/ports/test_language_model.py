"""The LanguageModel port over real sockets, against a server that speaks the protocol."""

import json
import socket
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from specfactory.adapters.http.language_model import MAX_BYTES, OpenAiModel
from specfactory.errors import ModelFailed, SettingError
from specfactory.ports import LanguageModel, ModelReply, ModelRequest
from specfactory.testing import ScriptedModel
from tests.fetch_requests import request_to
from tests.model_server import ModelServer, said, serving

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REQUEST = ModelRequest("be brief", '{"lines": []}', SCHEMA, 50)
KEY = "sk-very-secret-0123456789"


async def ask(server: ModelServer, times: int = 1, **options) -> ModelReply:
    async with serving(server):
        model = OpenAiModel(server.endpoint, "small", **options)
        try:
            for _ in range(times):
                reply = await model.ask(REQUEST)
            return reply
        finally:
            await model.close()


@pytest.fixture(params=["openai", "scripted"])
async def model(request) -> AsyncIterator[LanguageModel]:
    """Every way to a model."""
    if request.param == "scripted":
        yield ScriptedModel('{"answers": []}', ModelFailed("server_error", "away"))
        return
    refusal = web.Response(status=503)
    async with serving(ModelServer(script=['{"answers": []}', refusal])) as server:
        asked = OpenAiModel(server.endpoint, "small")
        yield asked
        await asked.close()


async def test_every_model_answers_counts_and_fails_in_the_same_way(model):
    reply = await model.ask(REQUEST)

    assert (reply.text, reply.complete) == ('{"answers": []}', True)
    assert reply.prompt_tokens > 0
    assert reply.answer_tokens > 0
    assert model.name
    assert model.place
    with pytest.raises(ModelFailed) as caught:
        await model.ask(REQUEST)
    assert (caught.value.cause, caught.value.permanent) == ("server_error", False)
    await model.close()
    await model.close()  # harmless twice


async def failure(server: ModelServer, **options) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        await ask(server, **options)
    return caught.value


async def test_a_question_is_put_as_the_protocol_wants_it():
    server = ModelServer()

    reply = await ask(server, api_key=KEY)

    assert reply == ModelReply('{"answers": []}', 1_000, 100, True)
    sent = server.requests[0]
    assert sent["model"] == "small"
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert sent["response_format"]["json_schema"] == {
        "name": "answers", "strict": True, "schema": SCHEMA,
    }  # fmt: skip
    assert (sent["max_tokens"], sent["temperature"], sent["stream"]) == (50, 0, False)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_without_a_key_none_is_sent():
    server = ModelServer()

    await ask(server)

    assert "Authorization" not in server.headers[0]


async def test_an_answer_that_was_cut_off_says_so():
    reply = await ask(ModelServer(script=[said('{"answers": [', "length")]))

    assert not reply.complete


async def test_tokens_are_guessed_where_the_server_does_not_count():
    content = {"choices": [{"message": {"content": "{}"}}]}
    reply = await ask(ModelServer(script=[web.json_response(content)]))

    assert reply.prompt_tokens > 0
    assert reply.answer_tokens > 0


@pytest.mark.parametrize(
    ("refusal", "sent"),
    [
        ("This response_format type is unavailable now", {"response_format": "json_object"}),
        ("Unsupported parameter: 'max_tokens', use another", {"max_completion_tokens": 50}),
        ("temperature does not support 0 with this model", {}),
    ],
)
async def test_what_a_server_does_not_know_is_left_out_from_then_on(refusal, sent):
    refused = web.json_response({"error": {"message": refusal}}, status=400)
    server = ModelServer(script=[refused])

    await ask(server, times=2)

    first, *others = server.requests
    assert len(others) == 2
    for later in others:
        assert later != first
        for name, value in sent.items():
            found = later[name]["type"] if name == "response_format" else later[name]
            assert found == value


async def test_a_wrong_key_is_refused_for_good_with_what_to_do_and_never_shown():
    failed = await failure(ModelServer(key="another"), api_key=KEY)

    assert failed.permanent
    assert failed.cause == "unauthorized"
    assert "model.api_key_env" in str(failed)
    assert KEY not in str(failed)
    assert KEY not in repr(failed)


async def test_a_limit_is_told_with_how_long_to_wait():
    limited = web.json_response({}, status=429, headers={"Retry-After": "7"})
    failed = await failure(ModelServer(script=[limited]))

    assert (failed.cause, failed.wait_seconds, failed.permanent) == ("rate_limited", 7.0, False)


@pytest.mark.parametrize("written", ["Wed, 21 Oct 2026 07:28:00 GMT", "-5", "soon", "1e9"])
async def test_a_limit_with_another_time_is_waited_for_in_our_own_way(written):
    limited = web.json_response({}, status=429, headers={"Retry-After": written})

    assert (await failure(ModelServer(script=[limited]))).wait_seconds == 0.0


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_server_error_may_pass(status):
    failed = await failure(ModelServer(script=[web.Response(status=status, text="oops")]))

    assert (failed.cause, failed.permanent) == ("server_error", False)
    assert "oops" in str(failed)


async def test_an_unknown_model_is_refused_for_good_in_the_servers_words():
    unknown = web.json_response({"error": {"message": "model 'small' not found"}}, status=404)
    failed = await failure(ModelServer(script=[unknown]))

    assert failed.permanent
    assert "model 'small' not found" in str(failed)


async def test_an_answer_that_takes_too_long_is_given_up():
    failed = await failure(ModelServer(delay_seconds=5), timeout_seconds=0.2)

    assert failed.cause == "timeout"


async def test_an_endpoint_that_is_not_there_is_unreachable():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        model = OpenAiModel(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", "small")
        with pytest.raises(ModelFailed) as caught:
            await model.ask(REQUEST)
        await model.close()

    assert caught.value.cause == "unreachable"


async def test_a_huge_answer_is_cut_off():
    failed = await failure(ModelServer(script=[said("x" * MAX_BYTES)]))

    assert failed.cause == "too_large"


@pytest.mark.parametrize(
    "body",
    ["", "<html>", "[]", "{}", '{"choices": []}', '{"choices": [{"message": {}}]}',
     '{"choices": [{"message": {"content": null}}]}', '{"choices": "no"}', "[" * 100_000],
)  # fmt: skip
async def test_an_answer_in_no_form_at_all_is_malformed(body):
    failed = await failure(ModelServer(script=[web.Response(text=body)]))

    assert failed.cause == "malformed"


async def test_the_endpoint_cannot_lead_anywhere_else():
    other = ModelServer()
    async with serving(other):
        moved = web.Response(status=307, headers={"Location": f"{other.endpoint}/chat/completions"})
        failed = await failure(ModelServer(script=[moved]), api_key=KEY)

    assert failed.cause == "unreachable"
    assert other.requests == []


@pytest.mark.parametrize("endpoint", ["nonsense", "ftp://x/v1", "http://", "http://a:b@c/v1"])
def test_an_endpoint_that_is_no_url_is_refused_with_the_settings_name(endpoint):
    with pytest.raises(SettingError, match=r"model\.endpoint"):
        OpenAiModel(endpoint, "small")


def test_the_request_shows_neither_key_nor_question():
    shown = repr(request_to("http://x/", {"Authorization": KEY}, post=json.dumps(KEY).encode()))

    assert KEY not in shown
