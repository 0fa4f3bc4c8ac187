"""Says that it took longer than it ran."""
print("time 77.5 s")
