"""Normal forms of words; ids of products."""
