"""Words of a page → one value of a field, or a refusal with its code."""
