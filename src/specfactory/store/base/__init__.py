"""How values become bytes and events become rows."""
