"""Fuzz `targets.table`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("table")
