"""How a second start and the command line reach the running program: a local socket, for its owner alone."""
