"""Reasons to drop an answer that concern the model, not the page."""

QUOTE_NOT_FOUND, INVENTED = "quote_not_found", "invented"
MODEL_REASONS = frozenset({QUOTE_NOT_FOUND, INVENTED})
