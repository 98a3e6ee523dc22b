"""When a host may be asked next."""
