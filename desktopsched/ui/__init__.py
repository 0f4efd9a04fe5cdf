"""The Qt application: the only room that imports PySide6. It shows and asks; what runs when is the engine's affair.

One module per window, panel, model or delegate. Modules without Qt (rows, words, transcript) hold what can be thought
out beforehand. Events come in by one door, `bridge`; wishes go out by one, `commands`.
"""
