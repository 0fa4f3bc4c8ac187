from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    future = pool.submit(int, "seven")

try:
    future.result()
except ValueError as error:
    print("caught:", error)
