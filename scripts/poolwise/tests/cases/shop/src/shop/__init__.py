"""A package in a src folder."""
