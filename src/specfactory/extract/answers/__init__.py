"""Chooses, for a page on its own, the one candidate per field, and says how sure it is."""
