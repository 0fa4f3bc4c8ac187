"""Prints much, in colours, with a bar that redraws itself."""
import sys

for number in range(50_000):
    sys.stdout.write(f"\x1b[32mline {number}\x1b[0m {'x' * 100}\r\n")
