"""SharedState on Redis, and what happens while it is away."""
