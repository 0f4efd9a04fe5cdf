"""Alerts: small windows at the edge of the screen. Reminders, and notices of failures; they take no focus."""
