"""Importing a crontab, or a task list of somebody else: read in the background, reviewed, added as one edit."""
