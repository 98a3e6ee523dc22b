"""Contracts that nobody wrote: from field names, from examples; and how one is written out."""
