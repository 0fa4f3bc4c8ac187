print(sum(range(1_000_000)))
