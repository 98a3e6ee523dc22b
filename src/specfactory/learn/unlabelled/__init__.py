"""Columns of texts guessed to be fields, by records of other sources."""
