"""``spec doctor``: what works here, and how to mend what does not."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from specfactory.entry.cli.output import print_json, print_line, print_table
from specfactory.entry.cli.session import AsJson, perform, settings_from

if TYPE_CHECKING:
    from specfactory.settings import Settings

CLOCK_MS = 60_000  # clocks of two machines may differ by so much

app = typer.Typer()

OTHER_VARIABLES = ("SPEC_CONFIG", "SPEC_DEBUG", "SPEC_HANDLERS")
LEAST_FREE_BYTES = 500_000_000
REFUSED = "the API key is refused"
WANTED = {"zstandard": "stored pages", "pypdfium2": "PDF data sheets", "jsonschema_rs": "schemas"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ok, warn (works without) or fail (needed)."""

    check: str
    state: str
    found: str
    mend: str = ""


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
    database = perform(_database(settings))
    yield database
    if database.state == "ok":
        yield from _unless_told_below(_queue(settings))
    yield perform(_state(settings))
    yield _disk(settings)
    yield _contracts(settings)
    yield _logins(settings)
    yield _browser(settings)
    yield perform(_proxies(settings))
    yield perform(_model(settings))


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
            print_line(f"{finding.check}: {finding.mend}")


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

    from specfactory.entry.cli.session import Given
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
    from specfactory.entry.cli.job_words import kinds_done_here
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
    from specfactory.fetch.logins import read_logins

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
    import os

    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


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


def _browser(settings: Settings) -> Finding:
    from specfactory.assembly import look_for_browser

    executable, why_none = look_for_browser(settings)
    if executable:
        return Finding("browser", "ok", executable)
    if not settings.browser.enabled:
        return Finding("browser", "ok", why_none)
    mend = "pages that need one end as js_required; install chromium, or: make browser"
    if settings.browser.executable:
        mend = "correct or empty browser.executable; until then such pages end as js_required"
    return Finding("browser", "warn", why_none, mend)


async def _proxies(settings: Settings) -> Finding:
    """What is known of the proxies; none is asked anything."""
    from specfactory.assembly import open_factory
    from specfactory.errors import SpecError
    from specfactory.orchestrate.proxy_sources import uses_proxies

    if not uses_proxies(settings.proxy):
        return Finding("proxies", "ok", "none set; pages are fetched without")
    try:
        async with open_factory(settings) as factory:
            if (desk := factory.proxies) is None:
                return Finding("proxies", "ok", "none set")
            await desk.pool.reload(at_once=True)
            live, needed, total = len(desk.pool.live()), desk.needed, len(desk.pool.proxies)
    except SpecError as problem:
        return Finding("proxies", "fail", str(problem), "correct the settings of proxy")
    found = f"{live} of {total} have proven to work; a run needs {needed}"
    if live >= needed:
        return Finding("proxies", "ok", found)
    return Finding("proxies", "warn", found, "check them: spec proxies check")


async def _model(settings: Settings) -> Finding:
    """Ask the model endpoints for their models; none is asked a question."""
    given = settings.model
    if not given.endpoint:
        return Finding("model", "ok", "none set; the factory is complete without")
    if not given.name:
        return Finding("model", "fail", "model.name is empty", "name a model of model.endpoint")
    first = await _seat(settings, given.endpoint, given.name, given.api_key_env)
    if first.state == "fail" or not given.second_name:
        return first
    own = given.second_api_key_env or ("" if given.second_endpoint else given.api_key_env)
    endpoint = given.second_endpoint or given.endpoint
    second = await _seat(settings, endpoint, given.second_name, own)
    worse = second if second.state != "ok" else first
    return Finding("model", worse.state, f"{first.found}; then {second.found}", worse.mend)


async def _seat(settings: Settings, endpoint: str, name: str, variable: str) -> Finding:
    """One model at its endpoint: whether it is there, takes the key, and has a price."""
    import os

    from specfactory.errors import UsageError
    from specfactory.observe.model_costs import PriceTable

    key = os.environ.get(variable, "") if variable else ""
    problem, known = await _models_at(endpoint.rstrip("/") + "/models", key)
    found = f"{name} at {endpoint}"
    if problem:
        mend = "correct or empty model.endpoint"
        if problem == REFUSED:
            mend = f"put the API key into the environment variable {variable or '(none is named)'}"
        return Finding("model", "fail", f"{found}: {problem}", mend)
    if variable and not key:
        return Finding("model", "warn", f"{found} answers; ${variable} is empty", f"set {variable}")
    if known and not any(each == name or each.rpartition("/")[2] == name for each in known):
        some = ", ".join(sorted(known)[:5])
        return Finding("model", "warn", f"{found}: no such model", f"there are: {some}")
    try:
        price = PriceTable(settings.model.prices).of(name)
    except UsageError as malformed:
        return Finding("model", "fail", str(malformed), "correct model.prices")
    if price is None:
        return Finding("model", "ok", f"{found} answers; counted as free, it has no price")
    cost = f"${price.question:g}/${price.answer:g} a million tokens"
    return Finding("model", "ok", f"{found} answers; {cost}")


async def _models_at(url: str, key: str) -> tuple[str, set[str]]:
    """What is wrong with an endpoint, empty when nothing is, and the models it lists."""
    from specfactory.assembly import endpoint_fetcher
    from specfactory.model import FetchRequest

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        fetcher = endpoint_fetcher(url)
    except ValueError as malformed:
        return str(malformed), set()
    try:
        response = await fetcher.fetch(
            FetchRequest(url, headers, timeout_seconds=5, max_bytes=5_000_000, max_redirects=0)
        )
    finally:
        await fetcher.close()
    if not response.status:
        return response.failure_detail or "no answer", set()
    if response.status in (401, 403):
        return REFUSED, set()
    return "", _listed(response.body)


def _listed(body: bytes) -> set[str]:
    """The names of the models in an answer; none when it is in another form."""
    import json

    try:
        entries = json.loads(body)["data"]
        return {str(entry["id"]) for entry in entries}
    except (ValueError, LookupError, TypeError, RecursionError):
        return set()
