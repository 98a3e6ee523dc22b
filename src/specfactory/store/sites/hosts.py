"""The hosts that the store knows something of."""

from __future__ import annotations

from specfactory.ports import Database


class Hosts:
    """Finds hosts by what a person calls them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def by_name(self, name: str) -> list[str]:
        """The host of this name and, without a port, the same on every port."""
        beginning = f"{name}:"
        found = await self._db.fetch(
            "hosts_by_name", name=name, beginning=beginning, length=len(beginning)
        )
        return [row["host"] for row in found]
