"""A program that has one run on a cluster, for a test to kill: `python -m tests.cluster.gone ADDRESS COMMAND`."""

import sys

from tests.cluster.conftest import Far

if __name__ == "__main__":
    Far(sys.argv[1], grace=0.5, patience=1.0).shell(sys.argv[2])
