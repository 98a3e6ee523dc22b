"""The main text of a page: its lines, what is seen of each, and which of them belong together."""
