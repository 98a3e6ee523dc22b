"""Stored pages, what they gave, and how they were fetched."""
