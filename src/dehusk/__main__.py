"""`python -m dehusk`: the `dehusk` command."""

from dehusk.cli import main

if __name__ == "__main__":
    main()
