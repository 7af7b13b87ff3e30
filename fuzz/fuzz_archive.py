"""Fuzz `targets.archive`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("archive")
