"""What commands share: settings and factory, options, tables, JSON, how things are named for
people.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.entry.cli.terminal.confirm import Yes, ask_first
    from specfactory.entry.cli.terminal.hosts import hosts_meant
    from specfactory.entry.cli.terminal.job_names import (
        JobWords,
        ProductId,
        RunNumber,
        age_ms,
        error_json,
        find_job,
        job_json,
        kinds_done_here,
        status_words,
        when,
    )
    from specfactory.entry.cli.terminal.options import Since, since_instant
    from specfactory.entry.cli.terminal.output import (
        clean,
        host_of,
        json_text,
        moment,
        on_terminal,
        print_heading,
        print_json,
        print_line,
        print_table,
        print_text,
        progress_bar,
        shorten,
        shown,
    )
    from specfactory.entry.cli.terminal.progress_board import Board
    from specfactory.entry.cli.terminal.session import (
        AsJson,
        Given,
        ProductWords,
        find_product,
        find_record,
        open_factory,
        perform,
        settings_from,
    )
    from specfactory.entry.cli.terminal.short_numbers import duration, per_minute, short, sparkline
    from specfactory.entry.cli.terminal.suggested_commands import (
        as_typed,
        note_config,
        spec_command,
    )
    from specfactory.entry.cli.terminal.timing_bars import DOUBLE, milliseconds, plainly, waterfall
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "DOUBLE",
    "AsJson",
    "Board",
    "Given",
    "JobWords",
    "ProductId",
    "ProductWords",
    "RunNumber",
    "Since",
    "Yes",
    "age_ms",
    "as_typed",
    "ask_first",
    "clean",
    "duration",
    "error_json",
    "find_job",
    "find_product",
    "find_record",
    "host_of",
    "hosts_meant",
    "job_json",
    "json_text",
    "kinds_done_here",
    "milliseconds",
    "moment",
    "note_config",
    "on_terminal",
    "open_factory",
    "per_minute",
    "perform",
    "plainly",
    "print_heading",
    "print_json",
    "print_line",
    "print_table",
    "print_text",
    "progress_bar",
    "settings_from",
    "short",
    "shorten",
    "shown",
    "since_instant",
    "sparkline",
    "spec_command",
    "status_words",
    "waterfall",
    "when",
]
