"""One attempt at a product: rounds, sources, evidence, record, questions."""
