"""Missed runs: the window that asks what happens to them. `choices` is pure; the rest is Qt, on the UI thread."""
