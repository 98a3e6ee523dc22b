"""Contract files: where they are, how they are read, every problem with its line."""
