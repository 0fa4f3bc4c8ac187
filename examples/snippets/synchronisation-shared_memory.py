import multiprocessing
from multiprocessing.shared_memory import SharedMemory

SIZE = 1_000_000


def fill(name, start, stop):
    shared = SharedMemory(name)
    shared.buf[start:stop] = b"\1" * (stop - start)
    shared.close()


def main():
    context = multiprocessing.get_context("spawn")
    shared = SharedMemory(create=True, size=SIZE)
    try:
        halves = [(0, SIZE // 2), (SIZE // 2, SIZE)]
        children = [context.Process(target=fill, args=(shared.name, *half)) for half in halves]
        for child in children:
            child.start()
        for child in children:
            child.join()
        print(sum(shared.buf[:SIZE]), "bytes written by others, none of them sent")
    finally:
        shared.close()
        shared.unlink()


if __name__ == "__main__":
    main()
