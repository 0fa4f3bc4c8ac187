total = 0
for number in range(1_000_000):
    total += number
print(total)
