from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    pass
try:
    pool.submit(print, "too late")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
