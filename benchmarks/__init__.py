"""Benchmarks: the program measured. Not tests: figures depend on the machine, and nothing here passes or fails."""
