"""What commands share: settings and factory, options, tables, JSON, how things are named for
people.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import output as out
    from .command_decorator import Reply, command
    from .options import (
        Category,
        HostName,
        JobWords,
        Limit,
        LimitOrAll,
        Names,
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
        named_words,
        no_such_field,
        since_instant,
    )
    from .plain_options import skip_conversion
    from .progress_board import Board
    from .row_stream import RowStream
    from .session import (
        Given,
        find_job,
        find_product,
        find_record,
        kinds_done_here,
        open_factory,
        settings_from,
        sqlite_file,
        status_words,
    )
    from .short_numbers import duration, per_minute, short, sparkline
    from .suggested_commands import as_typed, note_config, spec_command
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
