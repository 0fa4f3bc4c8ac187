from multiprocessing import Pool, Process


def start_another(_):
    try:
        Process(target=print).start()
    except AssertionError as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    with Pool(1) as pool:
        print(*pool.map(start_another, [0]))
