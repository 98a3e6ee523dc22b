"""Takes values of the model and gives them the shapes in which users get them as JSON.

Commands print these structs; an API or a page can send the same. See docs/reference/json.md.
"""

from typing import TYPE_CHECKING, Any

from .instants import moment, when

if TYPE_CHECKING:
    from . import jobs, pages, records, setup, sites
else:

    def __getattr__(name: str) -> Any:
        """Load the shapes of a subject on first use: ``spec --help`` needs none."""
        from importlib import import_module

        if name not in ("jobs", "pages", "records", "setup", "sites"):
            raise AttributeError(f"there are no shapes of {name!r}")
        return import_module(f"{__name__}.{name}")
