"""Importing a crontab: its lines are read in the background, reviewed in a window, and added as one edit."""
