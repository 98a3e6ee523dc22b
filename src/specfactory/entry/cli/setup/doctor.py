"""``spec doctor``: what works here, and how to mend what does not."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from specfactory.entry.cli.setup.finding import Finding
from specfactory.entry.cli.terminal import (
    AsJson,
    as_typed,
    perform,
    print_json,
    print_line,
    print_table,
    settings_from,
)

if TYPE_CHECKING:
    from specfactory.settings import Settings

CLOCK_MS = 60_000  # clocks of two machines may differ by so much

app = typer.Typer()

OTHER_VARIABLES = ("SPEC_CONFIG", "SPEC_DEBUG", "SPEC_HANDLERS")
LEAST_FREE_BYTES = 500_000_000
WANTED = {"zstandard": "stored pages", "pypdfium2": "PDF data sheets", "jsonschema_rs": "schemas"}


@app.command("doctor")
def examine(context: typer.Context, as_json: AsJson = False) -> None:
    """Say what works here, and how to mend what does not.

    A warning is about something the factory can do without; exit 1 when something needed fails.

    Example: spec doctor --json
    """
    findings = list(_examine(context))
    if as_json:
        print_json([_finding_json(finding) for finding in findings])
    else:
        _print(findings)
    if any(finding.state == "fail" for finding in findings):
        raise typer.Exit(1)


def _examine(context: typer.Context) -> Iterator[Finding]:
    from specfactory.errors import UsageError

    yield _python()
    yield _packages()
    try:
        settings = settings_from(context)
    except UsageError as problem:
        yield Finding("settings", "fail", str(problem), "correct it, or see: spec init")
        return
    yield _settings_file(context)
    yield from _mistyped()
    yield from _with(settings)


def _with(settings: Settings) -> Iterator[Finding]:
    from specfactory.entry.cli.setup.doctor_checks import (
        look_at_browser,
        look_at_model,
        look_at_proxies,
    )

    database = perform(_database(settings))
    yield database
    if database.state == "ok":
        yield from _unless_told_below(_queue(settings))
    yield perform(_state(settings))
    yield _disk(settings)
    yield _contracts(settings)
    yield _logins(settings)
    yield perform(look_at_browser(settings))
    yield perform(look_at_proxies(settings))
    yield perform(look_at_model(settings))


def _unless_told_below(look: Coroutine[Any, Any, Finding]) -> Iterator[Finding]:
    """What a look found, or the setting that forbids it; one with a check of its own waits."""
    from specfactory.errors import SettingError

    try:
        found = perform(look)
    except SettingError as problem:
        if problem.name.startswith(("proxy.", "state_url", "fetch.logins")):
            return
        found = Finding("settings", "fail", str(problem), "correct it, or see: spec init")
    yield found


def _finding_json(finding: Finding) -> dict[str, str]:
    return {
        "check": finding.check,
        "state": finding.state,
        "found": finding.found,
        "mend": finding.mend,
    }


def _print(findings: list[Finding]) -> None:
    print_table(("check", "state", "found"), ((f.check, f.state, f.found) for f in findings))
    for finding in findings:
        if finding.mend:
            print_line(f"{finding.check}: {as_typed(finding.mend)}")


def _python() -> Finding:
    return Finding("python", "ok", ".".join(map(str, sys.version_info[:3])))


def _packages() -> Finding:
    from importlib.util import find_spec

    missing = [name for name in WANTED if find_spec(name) is None]
    if not missing:
        return Finding("packages", "ok", "all there")
    return Finding("packages", "fail", f"missing: {', '.join(missing)}", "run: make install")


def _settings_file(context: typer.Context) -> Finding:
    import os

    from specfactory.entry.cli.terminal import Given
    from specfactory.settings import FILE_NAME

    given = context.find_object(Given) or Given()
    file = given.config or Path(os.environ.get("SPEC_CONFIG") or FILE_NAME)
    if file.is_file():
        return Finding("settings", "ok", str(file))
    return Finding("settings", "ok", "defaults; spec init writes a file to change them")


def _mistyped() -> Iterator[Finding]:
    """Variables that look like settings and are none: nobody reads them."""
    import os
    from difflib import get_close_matches

    from specfactory.settings import describe

    known = {*OTHER_VARIABLES, *(info.variable for info in describe())}
    for name in sorted(set(os.environ) - known):
        if name.startswith("SPEC_"):
            near = get_close_matches(name, known, n=1)
            mend = f"did you mean {near[0]}?" if near else "see: docs/reference/settings.md"
            yield Finding("environment", "warn", f"{name} is no setting", mend)


async def _database(settings: Settings) -> Finding:
    """Open the database that is there; one that is not is not made by looking."""
    from specfactory.assembly import choose_database, name_database
    from specfactory.errors import SpecError

    file = _sqlite_file(settings.database_url)
    if file is not None and not file.exists():
        return _database_to_be(file)
    try:
        database = choose_database(settings)
        try:
            version = await database.migrate()
            async with database.transaction():
                pass
        finally:
            await database.close()
    except (SpecError, OSError) as problem:
        return Finding("database", "fail", str(problem), _other_database())
    return Finding("database", "ok", f"{name_database(settings)}, schema {version}, writable")


async def _queue(settings: Settings) -> Finding:
    """Whether jobs wait for something that does not come by itself."""
    from specfactory.assembly import open_factory
    from specfactory.entry.cli.terminal import kinds_done_here
    from specfactory.observe import kinds_done, unknown_kinds

    file = _sqlite_file(settings.database_url)
    if file is not None and not file.exists():
        return Finding("queue", "ok", "empty")
    async with open_factory(settings) as factory:
        now, stats = factory.clock.now(), await factory.jobs.stats()
        newest = await factory.jobs.newest_at()
        workers = await factory.workers.list(now)
    unknown = unknown_kinds(stats, kinds_done(kinds_done_here(), workers))
    if newest > now + CLOCK_MS:
        late = f"the clock is {(newest - now) // 1000} s behind the newest job, which waits for it"
        return Finding("queue", "warn", late, "set the clock of this machine")
    if unknown:
        kinds = ", ".join(f"{jobs} of kind {kind!r}" for kind, jobs in unknown.items())
        return Finding("queue", "warn", f"nobody can do {kinds}", "they are kept; update")
    return Finding("queue", "ok", f"{stats.total} jobs")


async def _state(settings: Settings) -> Finding:
    """Whether the limits that processes share can be shared."""
    from specfactory.assembly import look_at_state, name_state
    from specfactory.errors import UsageError

    place = name_state(settings)
    try:
        others, problem = await look_at_state(settings)
    except UsageError as refused:
        return Finding("shared state", "fail", str(refused), "correct or empty state_url")
    if problem:
        mend = "start it, or correct state_url; until then each process goes on with its share"
        return Finding("shared state", "warn", f"{place}: {problem}", mend)
    sharing = f", shared by {others} processes now" if settings.state_url else ""
    return Finding("shared state", "ok", place + sharing)


def _logins(settings: Settings) -> Finding:
    """Which logins are set; their values are nobody's business."""
    import os

    from specfactory.errors import SettingError
    from specfactory.fetch.addresses import read_logins

    try:
        logins = list(read_logins(settings.fetch.logins, os.environ))
    except SettingError as problem:
        return Finding("logins", "fail", str(problem), "correct fetch.logins")
    missing = {login.host: ", ".join(login.missing) for login in logins if login.missing}
    if missing:
        said = "; ".join(f"{host}: {names} not set" for host, names in missing.items())
        return Finding("logins", "fail", said, "set the environment variables, or drop the login")
    return Finding("logins", "ok", ", ".join(login.host for login in logins) or "none needed")


def _database_to_be(file: Path) -> Finding:
    folder = _nearest_folder(file)
    if _writable(folder):
        return Finding("database", "ok", f"{file} will be made by the first run")
    return Finding("database", "fail", f"{folder} is no folder to write in", _other_database())


def _other_database() -> str:
    return "mend it, or choose another: --set database_url=sqlite:///PATH"


def _sqlite_file(url: str) -> Path | None:
    scheme, _, path = url.partition("///")
    return Path(path) if scheme == "sqlite:" and path else None


def _nearest_folder(file: Path) -> Path:
    """The closest thing above that exists; a folder, unless the path leads through a file."""
    return next((above for above in file.absolute().parents if above.exists()), Path("/"))


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: rights alone do not tell, in /proc or on a full disk."""
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=folder):  # it leaves nothing behind
            return True
    except OSError:
        return False


def _disk(settings: Settings) -> Finding:
    file = _sqlite_file(settings.database_url) or Path("here")
    free = shutil.disk_usage(_nearest_folder(file)).free
    found = f"{free / 1e9:.1f} GB free"
    if free >= LEAST_FREE_BYTES:
        return Finding("disk", "ok", found)
    return Finding(
        "disk", "warn", found, "make room: pages are kept as long as a record cites them"
    )


def _contracts(settings: Settings) -> Finding:
    from specfactory.contract import categories, find_contract
    from specfactory.errors import ContractError

    folder = Path(settings.contracts_dir)
    problems, known = [], categories(folder)
    for category in known:
        try:
            find_contract(category, folder)
        except ContractError as problem:
            problems.append(str(problem))
    if not problems:
        return Finding("contracts", "ok", ", ".join(known))
    return Finding("contracts", "fail", "; ".join(problems), "see: spec contract check FILE")
