"""Fails."""
raise ValueError("three")
