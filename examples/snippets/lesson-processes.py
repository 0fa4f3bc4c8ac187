from concurrent.futures import ProcessPoolExecutor

stock = 10  # onions in the fridge


def take(onions):
    global stock
    stock -= onions
    return stock


def main():
    with ProcessPoolExecutor(1) as pool:
        print("worker process:", pool.submit(take, 4).result())
    print("main process:", stock)


if __name__ == "__main__":
    main()
