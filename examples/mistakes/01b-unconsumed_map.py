"""Taking every result raises the exception of the task that failed, where it can be seen."""

from concurrent.futures import ThreadPoolExecutor

PRICES = ["19.90", "5.00", "n/a", "7.25"]
saved: list[float] = []


def save(price: str) -> None:
    saved.append(float(price))


def main() -> None:
    with ThreadPoolExecutor() as pool:
        list(pool.map(save, PRICES))
    print(f"done without errors, {len(saved)} of {len(PRICES)} prices saved")


if __name__ == "__main__":
    main()
