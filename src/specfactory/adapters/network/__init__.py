"""Names, addresses and proxies on the wire; shared by HTTP and the browser."""
