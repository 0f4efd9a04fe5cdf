"""What a bundle starts for each run: its supervisor, which loads nothing of the rest."""

from desktopsched.supervisor.main import main

main()
