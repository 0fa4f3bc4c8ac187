"""The machine at hand: its cores, its description, its interpreters."""
