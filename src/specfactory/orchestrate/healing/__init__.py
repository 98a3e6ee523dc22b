"""Carries out what heal/ decides: host care, pauses, questions, jobs that wait or come back."""
