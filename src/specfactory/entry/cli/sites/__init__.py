"""Commands about sites: learn, templates, healing, proxies."""
