"""JSON as pages write it, with the place of every scalar."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import reading
from specfactory.proof.structured.tolerant_json import JsonObject, JsonScalar, read_json
from tests.yardstick import within

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def scalars(node, source, path=()):
    """Every scalar below a node with its path of keys; members of arrays share a path."""
    if isinstance(node, JsonScalar):
        yield path, node
    elif isinstance(node, JsonObject):
        for key, member in node.members:
            yield from scalars(member, source, (*path, source[key.start : key.end]))
    else:
        for member in node.members:
            yield from scalars(member, source, path)


def flat(source):
    return [
        (".".join(path), source[scalar.start : scalar.end])
        for root in read_json(source)
        for path, scalar in scalars(root, source)
    ]


def leaves(value):
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value]


@given(VALUES, st.booleans())
def test_every_scalar_of_strict_json_is_found_and_reads_back(value, ascii_only):
    source = json.dumps([value], ensure_ascii=ascii_only)

    found = [scalar for root in read_json(source) for _, scalar in scalars(root, source)]

    assert len(found) == len(leaves(value))
    for scalar, leaf in zip(found, leaves(value), strict=True):
        quote = source[scalar.start : scalar.end]
        if isinstance(leaf, str):
            assert scalar.is_string
            assert json.loads(f'"{quote}"') == leaf
        else:
            assert json.loads(quote) == leaf


@given(st.text(alphabet=st.sampled_from("{}[]:,\"'\\ab1.-/*<!&quot;\n "), max_size=120))
def test_garbage_never_raises(source):
    for _, quote in flat(source):
        assert quote in source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('{"a": 1, "b": "x",}', [("a", "1"), ("b", "x")]),
        ('// note\n{"a": /* why */ 1}', [("a", "1")]),
        ('<!--\n{"a": true}\n-->', [("a", "true")]),
        ('/*<![CDATA[*/ {"a": "x"} /*]]>*/', [("a", "x")]),
        ('{"a": "line\nbreak\t"}', [("a", "line\nbreak\t")]),
        ('{"a": 1}{"b": 2};', [("a", "1"), ("b", "2")]),
        ("{&quot;a&quot;: &quot;x&quot;}", [("a", "x")]),
        ("{a: 'x'}", [("a", "x")]),
        ('{"size": "24" wide", "b": 2}', [("size", '24" wide'), ("b", "2")]),
        ('{"a": {"b": [1, {"c": 2}]}}', [("a.b", "1"), ("a.b.c", "2")]),
        ('{"a": 1, "b": ', [("a", "1")]),
    ],
)
def test_json_as_pages_write_it(source, expected):
    assert flat(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "[" * 500_000,
        '"a' * 500_000,
        "{" * 100_000 + "}" * 100_000,
        '{"a":' * 200_000,
        "/*" * 500_000,
        '"a" ' * 300_000,
    ],
    ids=["arrays", "strings", "objects", "keys", "comments", "words"],
)
def test_hostile_json_takes_bounded_time(source):
    with within(yards=50):
        read_json(source)


@pytest.mark.parametrize(
    ("quote", "encoding", "words"),
    [
        ("54\\u00a0g", Encoding.JSON, "54\u00a0g"),
        ('a\\/b \\"c\\"', Encoding.JSON, 'a/b "c"'),
        ("Tom &amp; Jerry", Encoding.JSON, "Tom & Jerry"),
        ("\\ud83d\\ude00", Encoding.JSON, "😀"),
        ("\\ud83d", Encoding.JSON, "?"),
        ("broken \\x escape", Encoding.JSON, "broken \\x escape"),
        ("5&quot; &lt;b&gt;", Encoding.HTML, '5" <b>'),
        ("5&quot;", Encoding.PLAIN, "5&quot;"),
    ],
)
def test_a_quote_reads_as_the_words_behind_it(quote, encoding, words):
    snippet = Snippet("p", ViewName.SOURCE, 1, 0, len(quote), quote, encoding)

    assert reading(snippet) == words
