"""Does nothing else."""
print("ready")
