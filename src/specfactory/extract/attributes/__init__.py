"""Attributes out of titles and descriptions (library only; no command uses it)."""
