"""What a program loads that runs nothing on a cluster."""

import subprocess
import sys

CODE = (
    "import sys, desktopsched.program; print(*({'dask', 'distributed', 'asyncio', 'ssl'} & set(sys.modules)))"
)


def test_a_program_loads_neither_dask_nor_what_connects_to_it_before_a_run_needs_that() -> None:
    said = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert said.stdout.split() == []
