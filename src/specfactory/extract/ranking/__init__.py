"""Ranks the values a page offers for a field by a small learned model."""
