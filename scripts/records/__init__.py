"""What was measured: typed records, their store and their schema."""
