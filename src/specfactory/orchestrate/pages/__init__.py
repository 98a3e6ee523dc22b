"""One page: fetched, respected, recognised as unchanged, read, kept, noted as a visit."""
