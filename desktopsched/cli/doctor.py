"""`desktopsched doctor`: what the program and its files look like, and what is to be done about it."""

import json
import sys
from itertools import groupby

import click
from msgspec import structs

from desktopsched.cli.act import RefusedError, asked
from desktopsched.cli.options import as_json_option
from desktopsched.control.wire import NobodyThereError, SilentProgramError
from desktopsched.diagnosis import Line, diagnose
from desktopsched.storage.home import Home

_TROUBLE = 1


@click.command()
@as_json_option
@click.pass_obj
def doctor(home: Home, *, as_json: bool) -> None:
    """Look at the home, its files and the running program; exit 1 if something is to be done."""
    lines = [*diagnose(home), *_running(home)]
    if as_json:
        for line in lines:
            click.echo(json.dumps(structs.asdict(line), ensure_ascii=False))
    else:
        for section, members in groupby(lines, lambda line: line.section):
            click.echo(section)
            for line in members:
                click.echo(f"  {line.name}: {line.value}")
                if line.advice:
                    click.echo(f"    ! {line.advice}")
    sys.exit(_TROUBLE if any(line.advice for line in lines) else 0)


def _running(home: Home) -> list[Line]:
    """What the running program says of itself."""
    try:
        return [Line(**message) for message in asked(home, {"do": "diagnose"})]
    except NobodyThereError:
        return [Line(section="Running", name="Process", value="none: no task starts by itself")]
    except SilentProgramError as error:
        return [Line(section="Running", name="Process", value="does not answer", advice=str(error))]
    except RefusedError as error:  # another version
        return [Line(section="Running", name="Process", value=str(error))]
