"""The tray: the program's icon in the panel, its menu, and what goes on while the window is closed."""
