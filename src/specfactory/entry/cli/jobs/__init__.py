"""Commands about the queue and who works on it."""
