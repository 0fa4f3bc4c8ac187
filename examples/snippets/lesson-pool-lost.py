from concurrent.futures import ThreadPoolExecutor


def load(number):
    if number == 7:
        raise OSError("no page 7")
    return f"page {number}"


with ThreadPoolExecutor(4) as pool:
    pool.map(load, range(12))
print("all pages loaded")

with ThreadPoolExecutor(4) as pool:
    futures = [pool.submit(load, number) for number in range(12)]
try:
    print(futures[6].result(), futures[7].result())
except OSError as error:
    print("caught:", error)
