"""A worker process: lanes, leases, heartbeat, sweeper, delivery, coordinator."""
