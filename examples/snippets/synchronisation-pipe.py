import multiprocessing


def answer(end):
    while (number := end.recv()) is not None:
        end.send(number**2)


def main():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=answer, args=(theirs,))
    child.start()
    theirs.close()  # the child has its own: if it dies, recv() fails and does not wait
    for number in 3, 4:
        ours.send(number)
        print(number, "→", ours.recv())
    ours.send(None)
    child.join()


if __name__ == "__main__":
    main()
