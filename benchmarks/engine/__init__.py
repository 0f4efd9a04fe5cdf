"""Benchmarks of the engine, beside the best Python peers and the least that Python can do the same with.

Each measurement runs in an interpreter of its own. Only the standard library is imported before an adapter starts, so
that nobody is measured with the weight of another.
"""
