"""Fuzz `targets.configuration`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("configuration")
