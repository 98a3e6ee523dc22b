"""From the recent visits of a host to what is wrong with it. Pure: history in, diagnosis out."""

from __future__ import annotations

from specfactory.heal.ailments import FACTORY, MEANINGS, Ailment

__all__ = ["FACTORY", "MEANINGS", "Ailment"]
