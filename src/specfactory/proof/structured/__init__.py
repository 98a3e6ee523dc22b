"""Structured data with the span of every value."""
