"""`python -m dehusk`: the `dehusk` command."""

from dehusk.cli import program

if __name__ == "__main__":
    program()
