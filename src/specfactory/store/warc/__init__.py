"""Web archives (or delete: use warcio)."""
