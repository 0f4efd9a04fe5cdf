"""`python -m desktopsched`."""

from desktopsched.cli import main

if __name__ == "__main__":
    main()
