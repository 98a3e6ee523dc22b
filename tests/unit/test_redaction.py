"""Which parts of an address are hidden, and which stay."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import AddressRefused, PageNotUsable, SettingError
from specfactory.redaction import redacted, without_password

MARK = "S3cr3t"


@pytest.mark.parametrize(
    "text",
    [
        f"http://ann:{MARK}@h.example/x",
        f"see HTTP://{MARK}@h and redis://:{MARK}@h/0, postgresql://ann:a/{MARK}@h/db",
        f"https://h.example/x?api_key={MARK}&q=1",
        f"https://h/x?a=1&access_token={MARK}#top",
        f"https://h/x?X-Amz-Signature={MARK};sig={MARK}",
        f"https://h/x?client_secret={MARK}&Password={MARK}&pwd={MARK}&sid={MARK}",
        f"('https://h/?apikey={MARK}',)",
    ],
)
def test_passwords_and_keys_are_hidden(text):
    assert MARK not in redacted(text)
    assert MARK not in str(SettingError("a", text, "b")) + repr(SettingError("a", [text], "b"))
    for error in (AddressRefused(text, "why"), PageNotUsable(text, "blocked", "")):
        assert MARK not in str(error) + repr(error) + str(pickle.loads(pickle.dumps(error)))


@pytest.mark.parametrize(
    "text",
    [
        "https://medium.example/@user/post?page=2",
        "mail ann@example.com; a=b",
        "https://h.example/keyboards?monkey=1&tokens-are=2&design=3",
        "54 g",
    ],
)
def test_everything_else_stays(text):
    assert redacted(text) == text


@given(st.lists(st.text("@?&=;:/\\\"' key token http://\n…"), max_size=5))
def test_json_stays_json(texts):
    hidden = json.loads(redacted(json.dumps(texts)))

    assert len(hidden) == len(texts)


def test_the_address_of_a_page_keeps_its_query():
    url = "http://ann:pw@h.example/x?token=7"

    assert without_password(url) == "http://…@h.example/x?token=7"
