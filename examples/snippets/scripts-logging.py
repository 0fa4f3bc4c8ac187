import logging
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from tempfile import TemporaryDirectory


def start_worker(records: multiprocessing.Queue) -> None:
    root = logging.getLogger()
    root.handlers[:] = [QueueHandler(records)]  # a forked child has its parent's handlers, too
    root.setLevel(logging.INFO)


def work(page: int) -> None:
    logging.info("page %d is done", page)


def main(folder: Path) -> None:
    records: multiprocessing.Queue = multiprocessing.Queue()
    file = RotatingFileHandler(folder / "app.log", maxBytes=20_000, backupCount=9)
    file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    listener = QueueListener(records, file)  # one thread of this process writes
    listener.start()
    try:
        with ProcessPoolExecutor(4, initializer=start_worker, initargs=(records,)) as pool:
            list(pool.map(work, range(1000)))
    finally:
        listener.stop()  # writes what is still in the queue
        file.close()
    lines = [line for log in folder.glob("app.log*") for line in log.read_text().splitlines()]
    print(len(lines), "lines,", len({line.split(" page ")[1] for line in lines}), "pages")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        main(Path(folder))
