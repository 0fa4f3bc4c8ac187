"""The experiments of a machine: which cells there are, what is recorded, what it says."""
