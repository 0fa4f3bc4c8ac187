import sys

print(sys.getswitchinterval(), "seconds")
sys.setswitchinterval(0.001)
