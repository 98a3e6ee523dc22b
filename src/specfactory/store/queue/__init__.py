"""Jobs, their leases, runs and workers."""
