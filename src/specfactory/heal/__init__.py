"""Healing: the recent history of a host in, a diagnosis and remedies as values out. Pure."""

from specfactory.heal.ailments import FACTORY, MEANINGS, Ailment

__all__ = ["FACTORY", "MEANINGS", "Ailment"]
