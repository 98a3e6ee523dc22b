"""What commands share: settings and factory, options, tables, JSON, how things are named for
people.
"""
