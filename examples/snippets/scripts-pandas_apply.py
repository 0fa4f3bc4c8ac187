"""Run a row function on all cores, one part of the frame for each, and compare the vectorised form."""

import os
from concurrent.futures import ProcessPoolExecutor

import pandas as pd


def discount(row: pd.Series) -> float:
    return row["price"] * 0.9 if row["count"] >= 10 else row["price"]


def discount_part(part: pd.DataFrame) -> pd.Series:
    return part.apply(discount, axis=1)


def main() -> None:
    orders = pd.DataFrame({"price": [20.0, 35.0, 50.0] * 1000, "count": [1, 12, 30] * 1000})

    size = -(-len(orders) // (os.cpu_count() or 1))  # rounded up
    parts = [orders.iloc[start : start + size] for start in range(0, len(orders), size)]
    with ProcessPoolExecutor() as pool:
        by_rows = pd.concat(pool.map(discount_part, parts))

    at_once = orders["price"].mask(orders["count"] >= 10, orders["price"] * 0.9)
    print("same result:", by_rows.equals(at_once))


if __name__ == "__main__":
    main()
