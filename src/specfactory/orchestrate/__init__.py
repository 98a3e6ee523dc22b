"""Orchestrate: takes a product, a contract and a budget; gives an attempt with its record.

Rounds are planned by pure functions; only the attempt itself waits for the world.
"""
