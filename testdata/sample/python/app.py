"""Prints figures."""

import sys

import shapes.polygon as polygon


def main(argv: list[str]) -> int:
    print(polygon.Square.of(2).label)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
