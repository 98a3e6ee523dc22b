"""Reader of attributes in running text (library only)."""
