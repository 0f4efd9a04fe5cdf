"""What `make mutants` takes away is where it says: a change of the program must not leave a mutant behind."""

import pytest

from tests.mutants import MUTANTS, PACKAGE, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.promise)
def test_each_mutant_finds_its_place(mutant: Mutant) -> None:
    text = (ROOT / PACKAGE / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.was) == 1
    assert text != text.replace(mutant.was, mutant.becomes)
    for tests in mutant.tests.split():
        assert (ROOT / tests).exists()
