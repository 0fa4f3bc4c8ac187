"""One call: the BLAS below NumPy splits the product among the cores."""

from matrices import describe, make_matrices
from tasks import timed


def main() -> None:
    left, right = make_matrices()
    with timed():
        product = left @ right
        print(describe(product))


if __name__ == "__main__":
    main()
