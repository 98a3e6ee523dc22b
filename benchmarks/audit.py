"""Checks the locked dependencies against published advisories (``make audit``).

Exit code 0: all were checked, and none has a known hole; 1: some have; 2: the source of advisories
could not be asked, so that nothing is known. ``AUDIT_URL`` names another source of the same form
(a batch query of OSV).
"""

import http.client
import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

URL = "https://api.osv.dev/v1/querybatch"
LOCKS = ("requirements.lock", "requirements-setup.lock")
AT_ONCE = 500
SECONDS = 30
CLEAN, HOLES, UNKNOWN = 0, 1, 2
_PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", re.M)

Ask = Callable[[Sequence[Mapping[str, Any]]], Any]


class Pinned(NamedTuple):
    """One locked version of a package."""

    name: str
    version: str


class NotChecked(Exception):
    """The source of advisories did not answer, or not in its form."""


def read_lock(text: str) -> list[Pinned]:
    """The pinned packages of a lock file; one may be pinned twice, for different Pythons."""
    return [Pinned(name.lower(), version) for name, version in _PINNED.findall(text)]


def holes(pinned: Sequence[Pinned], ask: Ask) -> dict[Pinned, list[str]]:
    """The advisories of each package that has any; NotChecked when one was not answered."""
    found: dict[Pinned, list[str]] = {}
    for start in range(0, len(pinned), AT_ONCE):
        some = pinned[start : start + AT_ONCE]
        answer = ask([_query(one) for one in some])
        results = answer.get("results") if isinstance(answer, Mapping) else None
        if not isinstance(results, list) or len(results) != len(some):
            raise NotChecked("the answer is not one result for each package")
        for one, result in zip(some, results, strict=True):
            if ids := _ids(result):
                found[one] = ids
    return found


def _query(one: Pinned) -> dict[str, Any]:
    return {"package": {"name": one.name, "ecosystem": "PyPI"}, "version": one.version}


def _ids(result: Any) -> list[str]:
    listed = result.get("vulns", []) if isinstance(result, Mapping) else None
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        raise NotChecked("a result is in another form")
    return sorted(str(each.get("id", "?")) for each in listed)


def verdict(pinned: Iterable[Pinned], ask: Ask) -> tuple[int, list[str]]:
    """The exit code, and what to say."""
    wanted = sorted(set(pinned))
    if not wanted:
        return UNKNOWN, ["NOT CHECKED: no locked package was found"]
    try:
        found = holes(wanted, ask)
    except NotChecked as problem:
        return UNKNOWN, [f"NOT CHECKED: {problem}; {len(wanted)} packages may have known holes"]
    if not found:
        return CLEAN, [f"{len(wanted)} locked packages checked, no known hole"]
    lines = [f"{one.name} {one.version}: {', '.join(ids)}" for one, ids in found.items()]
    return HOLES, [*lines, f"{len(found)} of {len(wanted)} locked packages have known holes"]


def ask_source(queries: Sequence[Mapping[str, Any]]) -> Any:
    """Ask the source of advisories for a batch."""
    url = os.environ.get("AUDIT_URL", URL)
    body = json.dumps({"queries": queries}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read(50_000_000))
    except (OSError, http.client.HTTPException, ValueError) as problem:
        why = getattr(problem, "reason", None) or problem
        raise NotChecked(f"the source of advisories cannot be asked ({why})") from None


def main() -> int:
    """Check the lock files of this checkout."""
    root = Path(__file__).parents[1]
    pinned = [one for name in LOCKS for one in read_lock((root / name).read_text("utf-8"))]
    code, lines = verdict(pinned, ask_source)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
