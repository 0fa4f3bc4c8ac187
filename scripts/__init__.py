"""The engine: ``harness`` measures programs, ``site`` turns what was measured into pages."""
