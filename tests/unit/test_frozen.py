"""The values of the model: they never change, and ``dataclasses`` takes them as its own."""

import dataclasses
import importlib
import pickle
import pkgutil
from collections.abc import Iterator, Mapping

import pytest
from rich.pretty import pretty_repr

import specfactory
from specfactory.model.base import Described, Discreet, Frozen, field, replace
from specfactory.model.proxy import Proxy
from tests.fetch_requests import request_to


class Thing(Frozen):
    name: str
    marks: Mapping[str, int] = field(default_factory=dict)
    size: int = 3


class Larger(Thing):
    colour: str = "red"


def _all_kinds(kind: type[Frozen] = Frozen) -> Iterator[type[Frozen]]:
    for below in kind.__subclasses__():
        yield below
        yield from _all_kinds(below)


def test_a_value_never_changes() -> None:
    thing = Thing("a")

    with pytest.raises(AttributeError):
        thing.name = "b"  # type: ignore[misc]
    assert replace(thing, name="b") == Thing("b")
    assert thing == Thing("a", {}, 3) != Larger("a")


def test_values_do_not_share_what_they_were_made_with() -> None:
    assert Thing("a").marks is not Thing("b").marks


def test_dataclasses_take_a_value_as_one_of_theirs() -> None:
    larger = Larger("a", {"x": 1})

    assert dataclasses.replace(larger, size=9) == Larger("a", {"x": 1}, 9)
    assert dataclasses.asdict(larger) == {
        "name": "a", "marks": {"x": 1}, "size": 3, "colour": "red",
    }  # fmt: skip
    described = {item.name: item for item in dataclasses.fields(Larger)}
    assert list(described) == ["name", "marks", "size", "colour"]
    assert described["name"].default is dataclasses.MISSING
    assert described["marks"].default_factory is dict
    assert (described["size"].default, described["colour"].default) == (3, "red")
    assert dataclasses.is_dataclass(Thing)
    assert not dataclasses.is_dataclass(int)


def test_a_value_goes_from_process_to_process() -> None:
    assert pickle.loads(pickle.dumps(Larger("a", {"x": 1}))) == Larger("a", {"x": 1})


@pytest.mark.parametrize(
    "value",
    [
        request_to("https://x.example/", {"Cookie": "hush"}, post=b"hush", proxy="http://hush@p"),
        Proxy("http://me:hush@p:1", "p:1"),
    ],
)
def test_credentials_are_not_shown(value: Discreet) -> None:
    shown = repr(value) + str(value) + pretty_repr(value)

    assert "hush" not in shown
    assert "x.example" in shown or "p:1" in shown


def test_no_default_is_a_description_made_for_dataclasses() -> None:
    for module in pkgutil.walk_packages(specfactory.__path__, "specfactory."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = list(_all_kinds())

    assert len(kinds) > 100
    wrong = [
        kind
        for kind in kinds
        if any(isinstance(default, dataclasses.Field) for default in kind.__struct_defaults__)
    ]
    assert wrong == []


def test_what_is_said_of_a_default_is_shown_as_metadata() -> None:
    class Told(Frozen):
        size: int = field(default_factory=Described(3, {"meaning": "how large"}))

    (size,) = dataclasses.fields(Told)
    assert (Told().size, size.default, size.metadata["meaning"]) == (3, 3, "how large")
