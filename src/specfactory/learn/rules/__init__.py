"""From known texts to the rules of a template, tried on pages left out."""
