"""What the program ships beside its code: the example task list; later icons, style sheets and translations.

Data only. Read it by `importlib.resources.files("desktopsched.resources")`.
"""
