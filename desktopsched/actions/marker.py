"""The mark of a run. By itself, because the cluster's workers are sent it too: it imports nothing."""

MARKER = "DESKTOPSCHED_RUN"
"""The variable that every process of a run inherits.

By its value even a daemon is found when the run is stopped.
"""
