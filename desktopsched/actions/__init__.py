"""How a task is performed: process tree, output pump, reminder, open. On pool threads; knows no engine."""
