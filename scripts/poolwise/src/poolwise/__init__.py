"""Measure programs, each trial in a process of its own, and keep the records."""
