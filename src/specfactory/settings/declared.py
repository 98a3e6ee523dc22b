"""All settings, each with its default, allowed range and meaning."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import astuple

from specfactory.model import Budget, Frozen
from specfactory.settings.declared_network import (
    BrowserSettings,
    FetchSettings,
    HealSettings,
    ProfileSettings,
    ProxySettings,
    ReaderSettings,
)
from specfactory.settings.declaring import setting


class BudgetSettings(Frozen):
    """Limits of one attempt at a product."""

    max_pages: int = setting(12, "pages per product", 1, 1000)
    max_model_calls: int = setting(10, "language model calls per product", 0, 1000)
    max_model_cost_usd: float = setting(0.50, "language model cost per product", 0, 1000)
    max_seconds: float = setting(300.0, "time per product", 1, 86_400)

    def budget(self) -> Budget:
        """The budget of a new attempt."""
        return Budget(*astuple(self))


class PlanSettings(Frozen):
    """Planning of rounds, and when they stop."""

    sources_at_once: int = setting(2, "sources fetched at the same time for one product", 1, 20)
    core_sources: int = setting(3, "sources in round 1 (core specs)", 1, 50)
    deep_sources: int = setting(3, "sources in round 2 (deep fill)", 1, 50)
    gap_sources: int = setting(2, "sources in each round from 3 on (gap closure)", 1, 50)
    stop_coverage: float = setting(0.85, "after round 2: enough when this share is filled", 0, 1)
    stop_budget: float = setting(0.70, "after round 2: enough when this share is spent", 0, 1)
    stop_gain: int = setting(2, "from round 3 on: stop when a round fills fewer fields", 0, 100)
    max_rounds: int = setting(8, "rounds at the most", 1, 50)
    fresh_hours: float = setting(24.0, "a page younger than this is not fetched again", 0, 8760)


class PublishSettings(Frozen):
    """Conditions of publishing."""

    min_confidence: float = setting(
        0.70, "a value below this confidence waits for a person instead of being published", 0, 1
    )


class SearchSettings(Frozen):
    """Search for pages beyond the sources' own search and sitemaps."""

    web_url: str = setting(
        "",
        "a web search API that answers JSON: a URL with {query}, such as "
        "https://search.example/search?q={query}&format=json; empty: none",
    )


class ModelSettings(Frozen):
    """The optional language model."""

    endpoint: str = setting("", "OpenAI-compatible base URL; empty: none, the factory is complete")
    name: str = setting("", "model name at that endpoint")
    api_key_env: str = setting(
        "", "environment variable that holds the API key; empty: none is sent"
    )
    second_name: str = setting(
        "", "a better model, asked only for what the first left open; empty: none"
    )
    second_endpoint: str = setting("", "its base URL; empty: the same as of the first")
    second_api_key_env: str = setting("", "its key's variable; empty: the same as of the first")
    prices: tuple[str, ...] = setting(
        (),
        "cost of models in USD per million tokens as MODEL=INPUT/OUTPUT, such as "
        "my-model=0.15/0.60; they come before the built-in table",
    )
    daily_cost_usd: float = setting(5.0, "cost per day (UTC), all products together", 0, 100_000)
    daily_calls: int = setting(5_000, "calls per day (UTC), all products together", 0, 10**9)
    calls_per_minute: float = setting(30.0, "calls to one endpoint, all workers", 0.01, 100_000)
    calls_at_once: int = setting(3, "calls that may go out without a pause", 1, 1_000)
    timeout_seconds: float = setting(60.0, "longest time for one answer", 0.1, 600)
    tries: int = setting(3, "tries at one question: limits, time-outs, server errors", 1, 10)
    max_prompt_tokens: int = setting(4_000, "words of a page sent at once", 200, 100_000)
    max_answer_tokens: int = setting(1_500, "longest answer", 50, 100_000)


class QueueSettings(Frozen):
    """Claims, retries and retention of jobs."""

    max_attempts: int = setting(3, "tries at a job before it is a dead letter", 1, 100)
    retry_first_seconds: float = setting(2.0, "pause after the first failure", 0, 86_400)
    retry_factor: float = setting(2.0, "each further pause is this many times longer", 1, 100)
    retry_longest_seconds: float = setting(3600.0, "longest pause between tries", 0, 604_800)
    cooldown_seconds: float = setting(
        0.0, "least pause before a product that failed is tried again", 0, 604_800
    )
    lease_seconds: float = setting(300.0, "a silent worker loses its jobs after this", 1, 86_400)
    heartbeat_seconds: float = setting(30.0, "pause between two renewals of leases", 0.1, 3600)
    lost_after_heartbeats: int = setting(
        3, "a worker that missed this many heartbeats counts as lost", 1, 1_000
    )
    claim_batch: int = setting(100, "most jobs claimed at once", 1, 10_000)
    poll_seconds: float = setting(1.0, "longest pause before looking for jobs again", 0.05, 60)
    keep_complete: int = setting(
        -1, "completed jobs kept in full, of older ones only counts; -1: all", -1, 10_000_000
    )
    keep_failed: int = setting(
        -1, "dead letters kept in full, of older ones only counts; -1: all", -1, 10_000_000
    )
    monitored_brands: tuple[str, ...] = setting(
        (), "brands whose new products come in at priority 2"
    )

    @property
    def lost_after_seconds(self) -> float:
        """A worker that is silent for longer counts as lost."""
        return self.lost_after_heartbeats * self.heartbeat_seconds


class DaemonSettings(Frozen):
    """The daemon."""

    pid_file: str = setting("specfactory-data/daemon.pid", "where the daemon notes its process")
    log_file: str = setting("specfactory-data/daemon.log", "where the daemon logs")
    log_max_bytes: int = setting(10_000_000, "size at which a new log begins", 10_000, 10**10)
    log_files: int = setting(5, "older logs that are kept", 0, 1000)
    event_log: str = setting(
        "specfactory-data/events.jsonl",
        "where the daemon, or without one a worker, writes the events of the whole factory; "
        "empty: nowhere",
    )
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "least level in the logs of daemon and workers; debug shows every page"
    )
    start_interval_seconds: float = setting(
        0.0, "pause between two starts of products, whatever their hosts; 0: none", 0, 3600
    )
    grace_seconds: float = setting(60.0, "time to finish the current products", 0, 86_400)
    product_seconds: float = setting(300.0, "longest time for one product", 1, 86_400)


class ProcessingSettings(Frozen):
    """On one machine or on many."""

    mode: Literal["single", "distributed"] = setting(
        "single", "single: the daemon does the work; distributed: it leaves it to workers"
    )


class ScheduleSettings(Frozen):
    """Recurring work."""

    stale_after_days: float = setting(30.0, "a record older than this is made again", 0.01, 3650)
    stale_check_cron: str = setting("0 2 * * *", "when to look for stale records")


class LogSettings(Frozen):
    """Logs."""

    level: Literal["debug", "info", "warning", "error"] = setting("warning", "least level shown")
    format: Literal["plain", "json"] = setting("plain", "lines for people or for machines")


class MonitorSettings(Frozen):
    """The monitor and its alerts."""

    refresh_seconds: float = setting(1.0, "pause between two looks of the live view", 0.1, 3600)
    window_minutes: float = setting(10.0, "throughput is measured over this time", 0.1, 1440)
    alert_failure_share: float = setting(
        0.2, "alert when more than this share of what ended in the window has failed", 0, 1
    )
    alert_dead_letters: int = setting(50, "alert at this many dead letters", 1, 10_000_000)
    alert_waiting_minutes: float = setting(
        60.0, "alert when a due job has waited longer than this", 0.1, 100_000
    )
    alert_stall_minutes: float = setting(
        10.0, "alert when jobs are due and none has ended for this long", 0.1, 100_000
    )
    alert_when_empty: bool = setting(True, "alert when nothing is left to do")


class LearnSettings(Frozen):
    """Learning, adoption and watching of templates."""

    after_pages: int = setting(10, "good pages without a template before learning", 3, 100_000)
    cpu_share: float = setting(
        0.1, "share of a worker's processor time that learning may take", 0.001, 1
    )
    wait_minutes: float = setting(
        10.0, "longest wait for a quiet moment before learning begins", 0, 100_000
    )
    samples: int = setting(20, "pages that a source is learned from", 5, 500)
    least_pages: int = setting(5, "fewest pages of a layout that make a template", 3, 100)
    adopt_at: float = setting(0.90, "lower bound of accuracy to adopt a template", 0.5, 1)
    trial_pages: int = setting(10, "pages to try a new template beside the old", 1, 10_000)
    drift_pages: int = setting(10, "pages before a template is checked for drift", 3, 10_000)
    drift_drop: float = setting(0.30, "relative drop of a field that is a drift", 0.01, 1)
    drift_certainty: float = setting(0.99, "certainty that it is no accident", 0.5, 0.999999)


class Settings(Frozen):
    """Everything an operator can set."""

    database_url: str = setting(
        "sqlite:///specfactory-data/factory.db",
        "where the truth is kept: sqlite:///FILE or postgresql://USER@HOST/NAME",
    )
    contracts_dir: str = setting("contracts", "folder of your own contracts, one file a category")
    state_url: str = setting(
        "", "Redis for limits shared by many processes: redis://HOST:PORT/0; empty: this process"
    )
    products_at_once: int = setting(3, "products worked on at the same time", 1, 100)
    fetch: FetchSettings = FetchSettings()
    readers: ReaderSettings = ReaderSettings()
    browser: BrowserSettings = BrowserSettings()
    proxy: ProxySettings = ProxySettings()
    heal: HealSettings = HealSettings()
    profile: ProfileSettings = ProfileSettings()
    budget: BudgetSettings = BudgetSettings()
    plan: PlanSettings = PlanSettings()
    publish: PublishSettings = PublishSettings()
    search: SearchSettings = SearchSettings()
    model: ModelSettings = ModelSettings()
    queue: QueueSettings = QueueSettings()
    daemon: DaemonSettings = DaemonSettings()
    processing: ProcessingSettings = ProcessingSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    monitor: MonitorSettings = MonitorSettings()
    learn: LearnSettings = LearnSettings()
    log: LogSettings = LogSettings()
    contract_sources: bool = setting(True, "ask the contract's own sources too, not only these")
    sources: tuple[Mapping[str, Any], ...] = setting(
        (), "more sources: host, tier, and as in a contract; category limits one to a category"
    )
