"""What ``spec doctor`` finds of things outside: the browser, proxies, language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specfactory.entry.cli.setup.finding import Finding

if TYPE_CHECKING:
    from specfactory.settings import Settings

REFUSED = "the API key is refused"


async def look_at_browser(settings: Settings) -> Finding:
    """Whether there is a browser; what is named as one is asked for its version."""
    from specfactory.assembly import examine_browser

    found, why_none = await examine_browser(settings)
    if found or not settings.browser.enabled:
        return Finding("browser", "ok", found or why_none)
    mend = "pages that need one end as js_required; install chromium, or: make browser"
    if settings.browser.executable:
        mend = "correct or empty browser.executable; until then such pages end as js_required"
    return Finding("browser", "warn", why_none, mend)


async def look_at_proxies(settings: Settings) -> Finding:
    """What is known of the proxies; none is asked anything."""
    from specfactory.assembly import open_factory
    from specfactory.errors import SpecError
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
    """One model at its endpoint: whether it is there, takes the key, and has a price."""
    import os

    from specfactory.errors import UsageError
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
