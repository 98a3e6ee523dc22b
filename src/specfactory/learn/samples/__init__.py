"""Sample pages and what is known to stand on them."""
