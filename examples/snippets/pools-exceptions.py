from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    pool.map(int, ["1", "two"])  # no result read, no ValueError seen
    pool.submit(int, "two")  # the same
print("all is well")
