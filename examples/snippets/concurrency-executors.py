from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def main():
    for executor in ThreadPoolExecutor, ProcessPoolExecutor:
        with executor(4) as pool:
            print(list(pool.map(fibonacci, [21, 22, 23, 24])))


if __name__ == "__main__":
    main()
