"""Products, attempts, records, decisions, truth."""
