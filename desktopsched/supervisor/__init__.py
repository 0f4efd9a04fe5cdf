"""One run's process from its start to its end: in a process of its own that outlives the program, or directly.

It imports nothing of the rest and nothing that is slow to load: a supervisor is started for every run. So no `typing`,
`re`, `json`, `pathlib`, `signal` or `subprocess` here, but where something rare needs it.
"""
