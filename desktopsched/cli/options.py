"""Options that several commands have."""

import click

as_json_option = click.option("--json", "as_json", is_flag=True, help="One line of JSON for each.")
