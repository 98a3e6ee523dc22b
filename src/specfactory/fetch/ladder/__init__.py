"""Ways to the network: HTTP, proxy, browser; which one a host needs."""
