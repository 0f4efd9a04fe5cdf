"""Which computer performs a due start, when several share a list: the claim protocol and its stores.

This room knows no engine, no files of the home and no Qt. Nothing here asks what time it is by the computer's own wall
clock: the store's time alone counts, and boot time where a span is measured.
"""
