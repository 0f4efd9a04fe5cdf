"""Start at login, as each system has it: an autostart file, a value of the registry, a launch agent.

What the system has is the truth, and is kept nowhere else: people switch such things off in its own settings too. Files
and registry only; no Qt. For any thread but a window's.
"""
