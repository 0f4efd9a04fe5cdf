"""Benchmarks of the window, each in a process of its own, with the real widgets on no screen."""
