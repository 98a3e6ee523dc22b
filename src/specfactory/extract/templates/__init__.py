"""Learned templates and hand-written selectors, applied to a page."""
