"""The Database port on SQLite."""
