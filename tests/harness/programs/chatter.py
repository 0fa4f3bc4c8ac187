"""Says far too much: ``chatter.py MEGABYTES``, between a first and a last line."""

import sys

print("first line")
for _ in range(int(sys.argv[1])):
    print("x" * 10**6)
print("last line")
