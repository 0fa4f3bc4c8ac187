from queue import Full, Queue

orders = Queue(maxsize=2)
for name in ("first", "second", "third"):
    try:
        orders.put_nowait(name)  # or put(name, timeout=0.5): wait, but not for long
        print(name, "is taken")
    except Full:
        print(name, "is refused: come again later")
