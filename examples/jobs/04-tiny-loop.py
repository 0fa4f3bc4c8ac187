"""The numbers in a loop: each takes microseconds, so there is nothing to hand over."""

from tasks import CARDS, is_valid, timed


def main() -> None:
    with timed():
        valid = sum(is_valid(card) for card in CARDS)
        print(f"{len(CARDS)} card numbers, {valid} valid")


if __name__ == "__main__":
    main()
