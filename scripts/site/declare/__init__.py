"""Claims, choices and addresses as `examples/` and `docs/` declare them."""
