"""The checks of ``spec doctor``, on this machine and outside: each gives a finding."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Given, kinds_done_here
from specfactory.errors import ContractError, SettingError, SpecError, UsageError

if TYPE_CHECKING:
    import typer

    from specfactory.settings import Settings

Finding = shapes.setup.Finding
CLOCK_MS = 60_000  # clocks of two machines may differ by this much
OTHER_VARIABLES = ("SPEC_CONFIG", "SPEC_DEBUG", "SPEC_HANDLERS")
LEAST_FREE_BYTES = 500_000_000
WANTED = {"zstandard": "stored pages", "pypdfium2": "PDF data sheets", "jsonschema_rs": "schemas"}
OTHER_DATABASE = "mend it, or choose another: --set database_url=sqlite:///PATH"
REFUSED = "the API key is refused"


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Look at everything that the settings name."""
    database = await look_at_database(settings)
    yield database
    if database.state == "ok":
        try:
            yield await look_at_queue(settings)
        except SettingError as problem:
            # A setting that has a check of its own is named there, and only once.
            if not problem.name.startswith(("proxy.", "state_url", "fetch.logins")):
                mend = "correct it, or see: spec init"
                yield Finding("settings", "fail", str(problem), mend)
    yield await look_at_state(settings)
    yield look_at_disk(settings)
    yield look_at_contracts(settings)
    yield look_at_logins(settings)
    yield await look_at_browser(settings)
    yield await look_at_proxies(settings)
    yield await look_at_model(settings)


def look_at_python() -> Finding:
    """Name the version of Python."""
    return Finding("python", "ok", ".".join(map(str, sys.version_info[:3])))


def look_at_packages() -> Finding:
    """Look for packages that are built for this machine, and may be missing."""
    from importlib.util import find_spec

    missing = [name for name in WANTED if find_spec(name) is None]
    if not missing:
        return Finding("packages", "ok", "all there")
    return Finding("packages", "fail", f"missing: {', '.join(missing)}", "run: make install")


def look_at_settings_file(context: typer.Context) -> Finding:
    """Name the settings file that is used."""
    from specfactory.settings import FILE_NAME

    given = context.find_object(Given) or Given()
    file = given.config or Path(os.environ.get("SPEC_CONFIG") or FILE_NAME)
    if file.is_file():
        return Finding("settings", "ok", str(file))
    return Finding("settings", "ok", "defaults; spec init writes a file to change them")


def mistyped_variables() -> Iterator[Finding]:
    """Find variables that look like settings and are none: they have no effect."""
    from difflib import get_close_matches

    from specfactory.settings import describe

    known = {*OTHER_VARIABLES, *(info.variable for info in describe())}
    for name in sorted(set(os.environ) - known):
        if name.startswith("SPEC_"):
            near = get_close_matches(name, known, n=1)
            mend = f"did you mean {near[0]}?" if near else "see: docs/reference/settings.md"
            yield Finding("environment", "warn", f"{name} is no setting", mend)


async def look_at_database(settings: Settings) -> Finding:
    """Open the database that is there; one that is not is not made by looking."""
    from specfactory.assembly import choose_database, name_database

    file = _sqlite_file(settings.database_url)
    if file is not None and not file.exists():
        folder = _nearest_folder(file)
        try:
            # Rights alone do not tell, in /proc or on a full disk. It leaves nothing behind.
            with tempfile.TemporaryFile(dir=folder):
                return Finding("database", "ok", f"{file} will be made by the first run")
        except OSError:
            found = f"{folder} is no folder to write in"
            return Finding("database", "fail", found, OTHER_DATABASE)
    try:
        database = choose_database(settings)
        try:
            version = await database.migrate()
            async with database.transaction():
                pass
        finally:
            await database.close()
    except (SpecError, OSError) as problem:
        return Finding("database", "fail", str(problem), OTHER_DATABASE)
    return Finding("database", "ok", f"{name_database(settings)}, schema {version}, writable")


def _sqlite_file(url: str) -> Path | None:
    scheme, _, path = url.partition("///")
    return Path(path) if scheme == "sqlite:" and path else None


def _nearest_folder(file: Path) -> Path:
    """The closest thing above that exists; a folder, unless the path leads through a file."""
    return next((above for above in file.absolute().parents if above.exists()), Path("/"))


async def look_at_queue(settings: Settings) -> Finding:
    """Find jobs that wait for something that will not happen without a person."""
    from specfactory.assembly import open_factory
    from specfactory.observe import kinds_done, unknown_kinds

    file = _sqlite_file(settings.database_url)
    if file is not None and not file.exists():
        return Finding("queue", "ok", "empty")
    async with open_factory(settings) as factory:
        now, stats = factory.clock.now(), await factory.jobs.stats()
        newest = await factory.jobs.newest_at()
        workers = await factory.workers.list(now, settings.queue.lost_after_seconds)
    unknown = unknown_kinds(stats, kinds_done(kinds_done_here(), workers))
    if newest > now + CLOCK_MS:
        late = f"the clock is {(newest - now) // 1000} s behind the newest job, which waits for it"
        return Finding("queue", "warn", late, "set the clock of this machine")
    if unknown:
        kinds = ", ".join(f"{jobs} of kind {kind!r}" for kind, jobs in unknown.items())
        return Finding("queue", "warn", f"nobody can do {kinds}", "they are kept; update")
    return Finding("queue", "ok", f"{stats.total} jobs")


async def look_at_state(settings: Settings) -> Finding:
    """Check that the limits which processes share can be shared."""
    from specfactory.assembly import look_at_state, name_state

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


def look_at_disk(settings: Settings) -> Finding:
    """Measure the room that is left for pages."""
    file = _sqlite_file(settings.database_url) or Path("here")
    free = shutil.disk_usage(_nearest_folder(file)).free
    found = f"{free / 1e9:.1f} GB free"
    if free >= LEAST_FREE_BYTES:
        return Finding("disk", "ok", found)
    mend = "make room: pages are kept as long as a record cites them"
    return Finding("disk", "warn", found, mend)


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
        return Finding("contracts", "ok", ", ".join(known))
    return Finding("contracts", "fail", "; ".join(problems), "see: spec contract check FILE")


def look_at_logins(settings: Settings) -> Finding:
    """Name the hosts that logins are set for; never their values."""
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


async def look_at_browser(settings: Settings) -> Finding:
    """Look for a browser; what is named as one is asked for its version."""
    from specfactory.assembly import examine_browser

    found, why_none = await examine_browser(settings)
    if found or not settings.browser.enabled:
        return Finding("browser", "ok", found or why_none)
    mend = "pages that need one end as js_required; install chromium, or: make browser"
    if settings.browser.executable:
        mend = "correct or empty browser.executable; until then such pages end as js_required"
    return Finding("browser", "warn", why_none, mend)


async def look_at_proxies(settings: Settings) -> Finding:
    """Count the proxies that are known to work; none is asked anything."""
    from specfactory.assembly import open_factory
    from specfactory.orchestrate.bench import uses_proxies

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


async def look_at_model(settings: Settings) -> Finding:
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
    """Check that a model is at its endpoint, takes the key, and has a price."""
    from specfactory.observe import PriceTable

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
    """Ask an endpoint for its models: the problem, empty for none, and the models it lists."""
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
    try:
        return "", {str(entry["id"]) for entry in json.loads(response.body)["data"]}
    except (ValueError, LookupError, TypeError, RecursionError):  # in another form
        return "", set()
