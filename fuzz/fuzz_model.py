"""Fuzz `targets.model`."""

from harness import fuzz

if __name__ == "__main__":
    fuzz("model")
