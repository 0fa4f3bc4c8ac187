"""The engine: ``poolwise`` measures programs, ``site`` turns what was measured into pages."""
