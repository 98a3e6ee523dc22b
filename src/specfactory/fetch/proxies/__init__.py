"""The pool of proxies and their health."""
