"""The learned models themselves, asked in plain Python: linear weights, boosted trees, their
JSON.
"""
