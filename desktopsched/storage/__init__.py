"""Where things are kept: task file, history, run logs, preferences. Knows no engine."""
