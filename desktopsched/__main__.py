"""`python -m desktopsched`."""

import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["--supervise"]:  # a bundle starts the supervisor of a run with it
        from desktopsched.supervisor.main import main as supervise  # and loads nothing else

        supervise()
    from desktopsched.cli import main

    main()
