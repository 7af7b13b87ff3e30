"""Fuzz `targets.page`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("page")
