"""Stored pages as web archives, and back."""
