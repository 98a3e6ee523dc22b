"""The queue around its store: states, retries, intake, exchange, dead letters, runs.

Takes products, files and failures; gives jobs to be added, and what to do with those that failed.
"""
