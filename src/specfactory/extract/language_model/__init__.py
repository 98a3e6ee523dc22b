"""What a language model is shown of a page, and what its answer proves."""
