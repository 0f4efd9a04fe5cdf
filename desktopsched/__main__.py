"""`python -m desktopsched`."""

if __name__ == "__main__":
    from desktopsched.cli import main

    main()
