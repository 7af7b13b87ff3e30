"""Fuzz `targets.rules`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("rules")
