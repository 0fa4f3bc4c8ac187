"""What ``examples/`` and ``docs/`` declare, read strictly, once for build and check."""
