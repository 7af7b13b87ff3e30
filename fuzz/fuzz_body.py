"""Fuzz `targets.body`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("body")
