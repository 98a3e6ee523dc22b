"""Measurements, each against a peer, a limit or a truth in the same run.

``python -m benchmarks.NAME [--json]`` prints a table, or one object whose ``figures`` maps each
name to a number; ``python -m benchmarks`` runs them all and writes ``benchmarks/results.md``.
"""
