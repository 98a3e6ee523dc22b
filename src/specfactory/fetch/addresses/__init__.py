"""Which addresses may be asked, and what a host or a domain is."""
