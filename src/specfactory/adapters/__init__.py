"""The outside world, one module per technology and port: ``<technology>_<port>.py``.

Takes settings, gives what ``ports`` asks for; chosen in ``assembly`` only.
"""
