"""Database, Clock and Wakeup on PostgreSQL."""
