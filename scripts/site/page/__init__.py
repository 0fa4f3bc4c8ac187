"""The pages: what their fences call."""
