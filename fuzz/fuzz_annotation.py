"""Fuzz `targets.annotation`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("annotation")
