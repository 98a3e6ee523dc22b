"""How a fetch ended, and the words or marks that say so."""
