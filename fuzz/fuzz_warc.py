"""Fuzz `targets.warc`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("warc")
