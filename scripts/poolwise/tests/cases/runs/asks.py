"""Asks what nobody answers."""
name = input("your name? ")
print("time 0.100000 s")
