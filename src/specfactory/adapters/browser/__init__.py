"""Pages in Chromium, behind our own proxy."""
