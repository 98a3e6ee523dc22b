"""What commands share: settings and factory, options, tables, JSON, how things are named for
people.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.entry.cli.terminal.command_decorator import Reply, command
    from specfactory.entry.cli.terminal.options import (
        Category,
        HostName,
        JobWords,
        Limit,
        ProductId,
        ProductWords,
        RunNumber,
        Since,
        Yes,
        age_ms,
        ask_first,
        checked_url,
        day_instant,
        hosts_meant,
        no_such_field,
        since_instant,
    )
    from specfactory.entry.cli.terminal.output import (
        clean,
        host_of,
        json_text,
        on_terminal,
        print_heading,
        print_json,
        print_line,
        print_section,
        print_table,
        print_text,
        progress_bar,
        quantity,
        shorten,
        shown,
        terminal_width,
    )
    from specfactory.entry.cli.terminal.progress_board import Board
    from specfactory.entry.cli.terminal.session import (
        Given,
        find_job,
        find_product,
        find_record,
        kinds_done_here,
        open_factory,
        perform,
        settings_from,
        status_words,
    )
    from specfactory.entry.cli.terminal.short_numbers import duration, per_minute, short, sparkline
    from specfactory.entry.cli.terminal.suggested_commands import (
        as_typed,
        note_config,
        spec_command,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Board", "Category", "Given", "HostName", "JobWords", "Limit", "ProductId", "ProductWords",
    "Reply", "RunNumber", "Since", "Yes", "age_ms", "as_typed", "ask_first", "checked_url",
    "clean", "command", "day_instant", "duration", "find_job", "find_product", "find_record",
    "host_of", "hosts_meant", "json_text", "kinds_done_here", "no_such_field", "note_config",
    "on_terminal", "open_factory", "per_minute", "perform", "print_heading", "print_json",
    "print_line", "print_section", "print_table", "print_text", "progress_bar", "quantity",
    "settings_from", "short", "shorten", "shown", "since_instant", "sparkline", "spec_command",
    "status_words", "terminal_width",
]  # fmt: skip
