from threading import Thread

prices = {"Berlin": 39, "Prague": 29}
try:
    for _ in prices:
        other = Thread(target=prices.setdefault, args=("Vienna", 49))
        other.start()
        other.join()
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
print(list(prices.copy()))  # the cure: go through a copy
