"""Attribute values out of titles and descriptions, learned from texts of other products.

An experiment kept beside its benchmark: nothing in the line reads a product this way.
"""
