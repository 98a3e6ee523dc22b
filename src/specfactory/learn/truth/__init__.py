"""Accuracy, confidence and source weights, fitted on truth."""
