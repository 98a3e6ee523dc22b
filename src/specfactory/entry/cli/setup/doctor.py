"""``spec doctor``: what works here, and how to mend what does not. Each check gives a finding."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer

from specfactory import observe
from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Given,
    Reply,
    as_typed,
    command,
    kinds_done_here,
    out,
    settings_from,
    sqlite_file,
)
from specfactory.errors import ContractError, SettingError, SpecError, UsageError
from specfactory.redaction import HIDDEN, redacted

if TYPE_CHECKING:
    from specfactory.settings import Settings

    Finding = shapes.setup.Finding

app = typer.Typer()

CLOCK_MS = 60_000  # clocks of two machines may differ by this much
OTHER_VARIABLES = ("SPEC_CONFIG", "SPEC_DEBUG", "SPEC_HANDLERS")
LEAST_FREE_BYTES = 500_000_000
FULL_BYTES = 20_000_000  # with less, the next pages do not fit
TRIED_BYTES = 1_000_000  # written and removed, to see whether a quota or the inodes are used up
WANTED = {"zstandard": "stored pages", "pypdfium2": "PDF data sheets", "jsonschema_rs": "schemas"}
OTHER_DATABASE = "mend it, or choose another: --set database_url=sqlite:///PATH"
REFUSED = "the API key is refused"
OTHER_SETTING = "correct it, or see: spec init"


@command(app, "doctor")
async def examine(context: typer.Context) -> Reply:
    """Say what works here, and how to mend what does not.

    A warning is about something the factory can do without; exit 1 when something needed fails.

    Example: spec doctor --json
    """
    findings = [look_at_python(), look_at_packages()]
    try:
        settings = settings_from(context)
    except UsageError as problem:
        findings.append(_found("settings", "fail", str(problem), OTHER_SETTING))
    else:
        findings += [look_at_settings_file(context), *mistyped_variables()]
        findings += [finding async for finding in look_at_settings(settings)]
    failed = any(finding.state == "fail" for finding in findings)

    def show(findings: list[Finding]) -> None:
        out.table(("check", "state", "found"), findings)
        for finding in findings:
            if finding.mend:
                out.line(f"{finding.check}: {as_typed(finding.mend)}")

    return Reply(findings, show, code=1 if failed else 0)


def _found(check: str, state: str, found: str, mend: str = "") -> Finding:
    return shapes.setup.Finding(check, state, redacted(found), mend)


async def look_at_settings(settings: Settings) -> AsyncIterator[Finding]:
    """Look at everything that the settings name."""
    database = await look_at_database(settings)
    yield database
    if database.state == "ok":
        try:
            yield await look_at_queue(settings)
            yield await look_at_store(settings)
        except SettingError as problem:
            # A setting that has a check of its own is named there, and only once.
            if not problem.name.startswith(("proxy.", "state_url", "fetch.logins")):
                yield _found("settings", "fail", str(problem), OTHER_SETTING)
    yield await look_at_state(settings)
    yield look_at_disk(settings)
    yield look_at_modes(settings)
    yield look_at_contracts(settings)
    yield look_at_logins(settings)
    yield await look_at_browser(settings)
    yield await look_at_proxies(settings)
    yield await look_at_model(settings)


def look_at_python() -> Finding:
    """Name the version of Python."""
    return _found("python", "ok", ".".join(map(str, sys.version_info[:3])))


def look_at_packages() -> Finding:
    """Look for packages that are built for this machine, and may be missing."""
    from importlib.util import find_spec

    missing = [name for name in WANTED if find_spec(name) is None]
    if not missing:
        return _found("packages", "ok", "all there")
    return _found("packages", "fail", f"missing: {', '.join(missing)}", "run: make install")


def look_at_settings_file(context: typer.Context) -> Finding:
    """Name the settings file that is used."""
    from specfactory.private_files import is_reachable_by_others
    from specfactory.settings import FILE_NAME

    given = context.find_object(Given) or Given()
    file = given.config or Path(os.environ.get("SPEC_CONFIG") or FILE_NAME)
    if file.is_file():
        text = file.read_text(encoding="utf-8", errors="replace")
        if redacted(text) != text and is_reachable_by_others(file):
            found = f"{file} holds a password, and others on this machine can read it"
            return _found("settings", "warn", found, f"chmod go= {file}")
        return _found("settings", "ok", str(file))
    return _found("settings", "ok", "defaults; spec init writes a file to change them")


def mistyped_variables() -> Iterator[Finding]:
    """Find variables that look like settings and are none: they have no effect."""
    from difflib import get_close_matches

    from specfactory.settings import describe

    known = {*OTHER_VARIABLES, *(info.variable for info in describe())}
    for name in sorted(set(os.environ) - known):
        if name.startswith("SPEC_"):
            near = get_close_matches(name, known, n=1)
            mend = f"did you mean {near[0]}?" if near else "see: docs/reference/settings.md"
            yield _found("environment", "warn", f"{name} is no setting", mend)


async def look_at_database(settings: Settings) -> Finding:
    """Open the database that is there; one that is not is not made by looking."""
    import tempfile

    from specfactory.assembly import choose_database, name_database

    file = sqlite_file(settings)
    if file is not None and not file.exists():
        folder = _nearest_folder(file)
        try:
            # Rights alone do not tell, in /proc or on a full disk. It leaves nothing behind.
            with tempfile.TemporaryFile(dir=folder):
                return _found("database", "ok", f"{file} will be made by the first run")
        except OSError:
            found = f"{folder} is no folder to write in"
            return _found("database", "fail", found, OTHER_DATABASE)
    try:
        database = choose_database(settings)
        try:
            version = await database.migrate()
            async with database.transaction():
                pass
        finally:
            await database.close()
    except (SpecError, OSError) as problem:
        return _found("database", "fail", str(problem), OTHER_DATABASE)
    return _found("database", "ok", f"{name_database(settings)}, schema {version}, writable")


def _nearest_folder(file: Path) -> Path:
    """The closest thing above that exists; a folder, unless the path leads through a file."""
    return next((above for above in file.absolute().parents if above.exists()), Path("/"))


async def look_at_queue(settings: Settings) -> Finding:
    """Find jobs that wait for something that will not happen without a person."""
    from specfactory.assembly import open_factory

    file = sqlite_file(settings)
    if file is not None and not file.exists():
        return _found("queue", "ok", "empty")
    async with open_factory(settings) as factory:
        now, stats = factory.clock.now(), await factory.jobs.stats()
        newest = await factory.jobs.newest_at()
        workers = await factory.workers.list(now, settings.queue.lost_after_seconds)
    unknown = observe.unknown_kinds(stats, observe.kinds_done(kinds_done_here(), workers))
    if newest > now + CLOCK_MS:
        late = f"the clock is {(newest - now) // 1000} s behind the newest job, which waits for it"
        return _found("queue", "warn", late, "set the clock of this machine")
    if unknown:
        kinds = ", ".join(f"{jobs} of kind {kind!r}" for kind, jobs in unknown.items())
        return _found("queue", "warn", f"nobody can do {kinds}", "they are kept; update")
    return _found("queue", "ok", f"{stats.total} jobs")


async def look_at_store(settings: Settings) -> Finding:
    """Say how much is kept: the database, its pages and its jobs."""
    from specfactory.assembly import open_factory
    from specfactory.store.pages import PageLists
    from specfactory.store.queue import Glances

    file = sqlite_file(settings)
    if file is not None and not file.exists():
        return _found("store", "ok", "nothing yet")
    async with open_factory(settings) as factory:
        size = await Glances(factory.database).database_size()
        pages = await PageLists(factory.database).count()
        by_status = (await factory.jobs.stats()).by_status()
        removed = sum(gone.jobs for gone in await factory.jobs.summaries())
    jobs = ", ".join(f"{count:,} {status}" for status, count in by_status.items() if count)
    said = f"{size / 1e6:,.1f} MB: {pages:,} pages; jobs: {jobs or 'none'}"
    return _found("store", "ok", said + (f"; {removed:,} removed jobs are counts" * bool(removed)))


async def look_at_state(settings: Settings) -> Finding:
    """Check that the limits which processes share can be shared."""
    from specfactory.assembly import look_at_state, name_state

    place = name_state(settings)
    try:
        others, problem = await look_at_state(settings)
    except UsageError as refused:
        return _found("shared state", "fail", str(refused), "correct or empty state_url")
    if problem:
        mend = "start it, or correct state_url; until then each process goes on with its share"
        return _found("shared state", "warn", f"{place}: {problem}", mend)
    sharing = f", shared by {others} processes now" if settings.state_url else ""
    return _found("shared state", "ok", place + sharing)


def look_at_disk(settings: Settings) -> Finding:
    """Measure the room that is left, and try to write."""
    import tempfile

    file = sqlite_file(settings) or Path("here")
    folder = _nearest_folder(file)
    disk = shutil.disk_usage(folder)
    if not disk.total:
        return _found("disk", "ok", f"{folder} is on no disk")
    found = f"{disk.free / 1e9:.1f} GB of {disk.total / 1e9:.1f} GB free"
    full = disk.free < FULL_BYTES
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(TRIED_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as problem:
        # A folder that may only be read is the database's matter, and said there.
        full = full or problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    if full:
        mend = "make room, or set database_url to another disk; until then nothing can be kept"
        return _found("disk", "fail", f"{folder} is full: {found}", mend)
    if disk.free >= LEAST_FREE_BYTES:
        return _found("disk", "ok", found)
    return _found("disk", "warn", found, "make room before it is full")


def look_at_modes(settings: Settings) -> Finding:
    """Find files with crawled or private content that others on this machine can read."""
    from specfactory.private_files import is_reachable_by_others

    given, live = settings.daemon, Path(settings.proxy.live_folder)
    kept = [Path(place) for place in (given.log_file, given.event_log) if place]
    kept += [live / "live_proxies.json", live / "live_proxies.txt"]
    if (database := sqlite_file(settings)) is not None:
        kept += [
            database,
            *(database.with_name(f"{database.name}-{end}") for end in ("wal", "shm")),
        ]
    loose = [str(file) for file in kept if is_reachable_by_others(file)]
    if not loose:
        return _found("files", "ok", "for their owner alone")
    found = f"others on this machine can read {', '.join(loose)}"
    return _found("files", "warn", found, f"chmod go= {' '.join(loose)}")


def look_at_contracts(settings: Settings) -> Finding:
    """Read every contract."""
    from specfactory.contract import categories, find_contract

    folder = Path(settings.contracts_dir)
    problems, known = [], categories(folder)
    for category in known:
        try:
            find_contract(category, folder)
        except ContractError as problem:
            problems.append(str(problem))
    if not problems:
        return _found("contracts", "ok", ", ".join(known))
    return _found("contracts", "fail", "; ".join(problems), "see: spec contract check FILE")


def look_at_logins(settings: Settings) -> Finding:
    """Name the hosts that logins are set for; never their values."""
    from specfactory.fetch.addresses import read_logins

    try:
        logins = list(read_logins(settings.fetch.logins, os.environ))
    except SettingError as problem:
        return _found("logins", "fail", str(problem), "correct fetch.logins")
    missing = {login.host: ", ".join(login.missing) for login in logins if login.missing}
    if missing:
        said = "; ".join(f"{host}: {names} not set" for host, names in missing.items())
        return _found("logins", "fail", said, "set the environment variables, or drop the login")
    return _found("logins", "ok", ", ".join(login.host for login in logins) or "none needed")


async def look_at_browser(settings: Settings) -> Finding:
    """Look for a browser; what is named as one is asked for its version."""
    from specfactory.assembly import examine_browser

    found, why_none, unboxed = await examine_browser(settings)
    if unboxed:
        mend = "scripts of pages are kept in a sandbox when an ordinary user runs spec on a system"
        mend += " that allows it; or do without the browser: --set browser.enabled=false"
        return _found("browser", "warn", f"{found}, without its sandbox, {unboxed}", mend)
    if found or not settings.browser.enabled:
        return _found("browser", "ok", found or why_none)
    mend = "pages that need one end as js_required; install chromium, or: make browser"
    if settings.browser.executable:
        mend = "correct or empty browser.executable; until then such pages end as js_required"
    return _found("browser", "warn", why_none, mend)


async def look_at_proxies(settings: Settings) -> Finding:
    """Count the proxies that are known to work; none is asked anything."""
    from specfactory.assembly import open_factory
    from specfactory.orchestrate.bench import uses_proxies

    if not uses_proxies(settings.proxy):
        return _found("proxies", "ok", "none set; pages are fetched without")
    try:
        async with open_factory(settings) as factory:
            if (desk := factory.proxies) is None:
                return _found("proxies", "ok", "none set")
            await desk.pool.reload(at_once=True)
            live, needed, total = len(desk.pool.live()), desk.needed, len(desk.pool.proxies)
    except SpecError as problem:
        return _found("proxies", "fail", str(problem), "correct the settings of proxy")
    found = f"{live} of {total} have proven to work; a run needs {needed}"
    if live >= needed:
        return _found("proxies", "ok", found)
    return _found("proxies", "warn", found, "check them: spec proxies check")


async def look_at_model(settings: Settings) -> Finding:
    """Ask the model endpoints for their models; none is asked a question."""
    given = settings.model
    if not given.endpoint:
        return _found("model", "ok", "none set; the factory is complete without")
    if not given.name:
        return _found("model", "fail", "model.name is empty", "name a model of model.endpoint")
    first = await _seat(settings, given.endpoint, given.name, given.api_key_env)
    if first.state == "fail" or not given.second_name:
        return first
    own = given.second_api_key_env or ("" if given.second_endpoint else given.api_key_env)
    endpoint = given.second_endpoint or given.endpoint
    second = await _seat(settings, endpoint, given.second_name, own)
    worse = second if second.state != "ok" else first
    return _found("model", worse.state, f"{first.found}; then {second.found}", worse.mend)


async def _seat(settings: Settings, endpoint: str, name: str, variable: str) -> Finding:
    """Check that a model is at its endpoint, takes the key, and has a price."""
    key = os.environ.get(variable, "") if variable else ""
    problem, known = await _models_at(endpoint.rstrip("/") + "/models", key)
    place = urlsplit(endpoint).netloc.rpartition("@")[2]  # all else may hold a key
    found = f"{name} at {place or HIDDEN}"
    if problem:
        mend = "correct or empty model.endpoint"
        if problem == REFUSED:
            mend = f"put the API key into {_variable(variable)}"
        return _found("model", "fail", f"{found}: {problem}", mend)
    if variable and not key:
        words = f"{found} answers; {_variable(variable)} is empty"
        return _found("model", "warn", words, f"set {_variable(variable)}")
    if known and not any(each == name or each.rpartition("/")[2] == name for each in known):
        some = ", ".join(sorted(known)[:5])
        return _found("model", "warn", f"{found}: no such model", f"there are: {some}")
    try:
        price = observe.PriceTable(settings.model.prices).of(name)
    except UsageError as malformed:
        return _found("model", "fail", str(malformed), "correct model.prices")
    if price is None:
        return _found("model", "ok", f"{found} answers; counted as free, it has no price")
    cost = f"${price.question:g}/${price.answer:g} a million tokens"
    return _found("model", "ok", f"{found} answers; {cost}")


def _variable(name: str) -> str:
    """An environment variable in words; what may be the key itself is not shown."""
    named = name.isupper() and name.isidentifier()
    return f"the environment variable {name if named else 'that model.api_key_env names'}"


async def _models_at(url: str, key: str) -> tuple[str, set[str]]:
    """Ask an endpoint for its models: the problem, empty for none, and the models it lists."""
    from specfactory.assembly import endpoint_fetcher
    from specfactory.settings import FetchSettings

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        fetcher = endpoint_fetcher(url)
    except ValueError as malformed:
        return str(malformed), set()
    try:
        response = await fetcher.fetch(
            FetchSettings().request(
                url, headers, timeout_seconds=5, max_bytes=5_000_000, max_redirects=0
            )
        )
    finally:
        await fetcher.close()
    if not response.status:
        return response.failure_detail or "no answer", set()
    if response.status in (401, 403):
        return REFUSED, set()
    try:
        return "", {str(entry["id"]) for entry in json.loads(response.body)["data"]}
    except (ValueError, LookupError, TypeError, RecursionError):  # in another form
        return "", set()
