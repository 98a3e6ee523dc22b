"""One source of a category by its host: as the settings name it, else as the contract does."""

from __future__ import annotations

from specfactory.contract import CompiledContract, source_from
from specfactory.model import Source
from specfactory.settings import Settings


def source_at(settings: Settings, compiled: CompiledContract, host: str) -> Source | None:
    """The source of a host, without reading them all; a host of the settings comes first."""
    category = compiled.contract.category
    for entry in settings.sources:
        ours = entry.get("category", category) == category
        if ours and str(entry.get("host", "")).casefold() == host:
            plain = {k: v for k, v in entry.items() if k != "category"}
            return source_from(plain, "setting sources")
    known = compiled.contract.sources if settings.contract_sources else ()
    return next((source for source in known if source.host == host), None)
