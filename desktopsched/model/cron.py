"""Cron expressions, read strictly as Debian's cron reads them. (Placeholder until the parser lands.)"""


def parse_cron(expression: str) -> None:
    """Check an expression."""
