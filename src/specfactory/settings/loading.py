"""Settings from the file, the environment and flags, each checked; and described for docs."""

import difflib
import os
import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeGuard, get_args, get_origin, get_type_hints

from specfactory.errors import SettingError, UsageError
from specfactory.model import Frozen, defaults_of
from specfactory.redaction import HIDDEN
from specfactory.settings.all_settings import Settings

FILE_NAME = "specfactory.yaml"
_VARIABLE = "SPEC_"  # prefix of settings in the environment


class SettingInfo(Frozen):
    """One setting, as the docs and ``spec init`` show it."""

    path: str
    type: str
    default: Any
    meaning: str
    allowed: str

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return _VARIABLE + self.path.upper().replace(".", "_")


def describe(section: type[Frozen] = Settings, prefix: str = "") -> Iterator[SettingInfo]:
    """All settings, in the order in which they are declared."""
    hints = _hints(section)
    for name, default in defaults_of(section).items():
        kind = hints[name]
        if _is_section(kind):
            yield from describe(kind, f"{prefix}{name}.")
        else:
            given, metadata = default.factory.default, default.factory.metadata
            written, allowed = getattr(kind, "__name__", str(kind)), _allowed(kind, metadata)
            yield SettingInfo(prefix + name, written, given, metadata["meaning"], allowed)


def _is_section(kind: Any) -> TypeGuard[type[Frozen]]:
    return isinstance(kind, type) and issubclass(kind, Frozen)


@cache
def _hints(section: type) -> Mapping[str, Any]:
    return get_type_hints(section)


def load(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Read the settings; ``flags`` are paths with values and win over everything.

    Without ``file``, ``SPEC_CONFIG`` or a specfactory.yaml in the working folder is read.
    """
    environment = os.environ if environment is None else environment
    if file is None and (named := environment.get("SPEC_CONFIG")):
        file = Path(named)
    if file is not None and not file.is_file():
        raise SettingError("config", str(file), "a readable settings file; `spec init` writes one")
    if file is None and Path(FILE_NAME).is_file():
        file = Path(FILE_NAME)
    given = _from_file(file) if file is not None else {}
    if any(name.startswith(_VARIABLE) for name in environment):
        for info in describe():
            if info.variable in environment:
                _put(given, info.path, environment[info.variable])
    for path, value in (flags or {}).items():
        if value is not None:
            _put(given, path, value)
    built: Settings = _build(Settings, given, "")
    return built


def _from_file(file: Path) -> dict[str, Any]:
    import yaml  # read only where there is a file: keeps `spec --help` quick

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as quick
    try:
        content = loader(file.read_text(encoding="utf-8")).get_single_data()
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        said = "it is not UTF-8" if isinstance(problem, UnicodeDecodeError) else "malformed"
        if isinstance(problem, yaml.MarkedYAMLError) and problem.problem_mark is not None:
            # only where, as the line itself might show a password
            said = f"{problem.problem} in line {problem.problem_mark.line + 1}"
        raise UsageError(f"{file} is no YAML file: {said}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingError(str(file), HIDDEN, "settings by name, such as `fetch:`")
    return content


def _put(given: dict[str, Any], path: str, value: Any) -> None:
    *sections, name = path.split(".")
    for section in sections:
        if given.get(section) is None:  # missing, or a section whose lines are all comments
            given[section] = {}
        given = given[section]
        if not isinstance(given, dict):
            raise SettingError(section, given, "a section with settings of its own")
    given[name] = value


def _build(section: type[Frozen], given: Mapping[str, Any], prefix: str) -> Any:
    hints = _hints(section)
    known = defaults_of(section)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            advice = f"did you mean {prefix}{near[0]}?" if near else f"known: {', '.join(known)}"
            raise UsageError(f"there is no setting {prefix}{name}; {advice}")
    values: dict[str, Any] = {}
    for name, value in given.items():
        kind, path = hints[name], prefix + name
        if _is_section(kind):
            if value is None:
                continue
            if not isinstance(value, Mapping):
                raise SettingError(path, value, "a section with settings of its own")
            values[name] = _build(kind, value, path + ".")
        else:
            values[name] = _convert(kind, value, path, known[name].factory.metadata)
    return section(**values)


def _convert(kind: Any, value: Any, path: str, metadata: Mapping[str, Any]) -> Any:
    allowed = _allowed(kind, metadata)
    shown = HIDDEN if metadata["discreet"] else value
    try:
        result = _as_type(kind, value)
    except (TypeError, ValueError, OverflowError):
        raise SettingError(path, shown, allowed) from None
    low, high, form = metadata["low"], metadata["high"], metadata["form"]
    too_low, too_high = low is not None and result < low, high is not None and result > high
    texts = result if isinstance(result, tuple) else (result,)
    malformed = form and not all(re.fullmatch(form.pattern, text) for text in texts)
    if too_low or too_high or malformed:
        raise SettingError(path, shown, allowed)
    return result


def _as_type(kind: Any, value: Any) -> Any:
    if kind is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if str(value).lower() not in words:
            raise ValueError(value)
        return words[str(value).lower()]
    if kind == tuple[str, ...] and str(value).lower() == "false":  # once a switch: none
        return ()
    if isinstance(value, bool):
        raise TypeError(value)
    if kind in (int, float):
        number = kind(value)
        if number != number or (isinstance(value, float) and number != value):
            raise ValueError(value)
        return number
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(value)
        return value
    if kind is str:
        if isinstance(value, str | int | float) and str(value).isprintable():
            return str(value)
        raise TypeError(value)
    if kind == tuple[str, ...]:
        names = value
        if isinstance(value, str):  # in the environment: commas, or a list as in the file
            names = _written_list(value) if value.lstrip().startswith("[") else value.split(",")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TypeError(value)
        return tuple(name.strip() for name in names if name.strip())
    entries = _written_list(value) if isinstance(value, str) else value
    if isinstance(entries, list) and all(isinstance(item, Mapping) for item in entries):
        return tuple(types.MappingProxyType(dict(item)) for item in entries)
    raise TypeError(value)


def _written_list(text: str) -> Any:
    """Parse a list in the syntax of the settings file, from the environment or a flag."""
    import yaml

    try:
        return yaml.safe_load(text) or []
    except yaml.YAMLError:
        raise ValueError(text) from None


def _allowed(kind: Any, metadata: Mapping[str, Any]) -> str:
    if form := metadata.get("form"):
        return str(form.words)
    if kind is bool:
        return "true or false"
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    if kind == tuple[str, ...]:
        return "a list of names"
    low, high = metadata.get("low"), metadata.get("high")
    words = {int: "a whole number", float: "a number", str: "text"}.get(
        kind, "a list of entries, each {name: value, …}"
    )
    if low is None or high is None:
        return words
    return f"{words} from {low:.12g} to {high:.12g}"
