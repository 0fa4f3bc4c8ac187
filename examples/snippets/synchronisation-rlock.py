from threading import Lock, RLock

for name, guard in ("Lock", Lock()), ("RLock", RLock()):
    with guard:
        again = guard.acquire(timeout=0.1)  # by the thread that holds it
        print(f"{name}, taken a second time: {again}")
        if again:
            guard.release()
