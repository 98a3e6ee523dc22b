"""Values that a label, a property or a sentence names."""
