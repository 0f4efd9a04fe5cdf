# make run     set everything up and open the program
# make test    set everything up and run all tests       (ARGS='-k cron' is handed to pytest)
# make bench-ui  measure the window; no test, and nothing that must pass   (ARGS='--only table,log')
# make test-faults   inject faults (kills, full disks, cuts of the power) and say of each what was seen
# make simulate      thousands of random histories of the engine, each by a seed that is printed when it fails
# make mutants       take away what keeps a promise, one thing at a time: the tests must notice
# make check   style, types and import contracts, without running anything
# make bench   measure the engine beside its peers; quarter of an hour  (ARGS='W2 W8' measures a part)
# make bench-sharing   claims on real servers, each beside a bare insert on the same one   (ARGS='redis' measures a part)
# make bench-soak   a day at 50 runs a second in simulated time: what it leaves behind
# make bundle  the program with all that it needs in one folder, dist/desktopsched: no Python has to be there
# make test-bundle   make it and see that it does without any other Python
# make deb     that as a package for Debian and its relatives, in dist
# make test-deb    make it and look at what is in it
# make clean   remove what these made
#
# What is installed is remembered in .venv/installed*, so only a changed pyproject.toml installs again.

PYTHON := .venv/bin/python
ARGS ?=
# Tests draw on no screen; TEST_PLATFORM=xcb shows their windows.
TEST_PLATFORM ?= offscreen
# Processes that test at the same time; 0: the one of pytest alone, in which a debugger can stop.
WORKERS ?= 2

.PHONY: run test test-faults simulate mutants check bench bench-soak bench-ui bench-sharing bundle test-bundle deb test-deb clean
.NOTPARALLEL:

run: .venv/installed
	@sh packaging/system-libraries.sh $(PYTHON)
	@sh packaging/display.sh
	.venv/bin/desktopsched $(ARGS)

test: .venv/installed-test
	@sh packaging/system-libraries.sh $(PYTHON)
	QT_QPA_PLATFORM=$(TEST_PLATFORM) $(PYTHON) -m pytest --numprocesses $(WORKERS) $(ARGS)

# Needs strace, root for the disks, and the servers of shared lists (packaging/test-servers.sh); what is missing is said
# and skipped.
test-faults: .venv/installed-test
	DESKTOPSCHED_KILLS=150 DESKTOPSCHED_RUNS=1000 DESKTOPSCHED_FLOOD=2000 DESKTOPSCHED_CLAIMS=10000 \
		QT_QPA_PLATFORM=offscreen \
		$(PYTHON) -m pytest --verbose -rs -m fault tests $(ARGS)

SEEDS ?= 5000
simulate: .venv/installed-test
	DESKTOPSCHED_EXAMPLES=$(SEEDS) $(PYTHON) -m pytest tests/simulation $(ARGS)

mutants: .venv/installed-test
	$(PYTHON) tests/mutants.py $(ARGS)

check: .venv/installed-dev
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports

bench: .venv-bench/installed
	@.venv-bench/bin/python -m benchmarks.engine $(ARGS)

bench-soak: .venv-bench/installed
	@.venv-bench/bin/python -m benchmarks.engine.soak $(ARGS)

bench-ui: .venv/installed
	@sh packaging/system-libraries.sh $(PYTHON)
	$(PYTHON) -m benchmarks.ui $(ARGS)

bench-sharing: .venv/installed-test
	@$(PYTHON) -m benchmarks.sharing $(ARGS)

# What it is made of is what a wheel would install, so the recipes for wheels are tried by it too. It brings what speaks
# to the servers of shared lists: nothing can be added to it later.
BUNDLED := postgres,mysql,sqlite,redis,zookeeper
bundle: .venv-bundle/installed
	@sh packaging/system-libraries.sh .venv-bundle/bin/python
	.venv-bundle/bin/python -m pip install --quiet --no-deps --force-reinstall .
	@sh packaging/bundle/build.sh .venv-bundle/bin/python

test-bundle: bundle .venv/installed-test
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest tests/packaging/smoke_bundle.py $(ARGS)

deb: bundle
	@sh packaging/debian/build.sh .venv-bundle/bin/python

test-deb: deb .venv/installed-test
	$(PYTHON) -m pytest tests/packaging/smoke_deb.py $(ARGS)

clean:
	rm -rf .venv .venv-bench .venv-bundle build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PYTHON):
	@sh packaging/virtual-environment.sh .venv

# The peers are kept apart from the program; python -m finds that in this folder.
.venv-bench/installed: benchmarks/engine/requirements.txt
	@sh packaging/virtual-environment.sh .venv-bench
	@echo 'Installing the peers; the first time takes a minute.'
	.venv-bench/bin/python -m pip install --quiet --requirement $<
	@touch $@

.venv-bundle/installed: packaging/bundle/requirements.txt pyproject.toml
	@sh packaging/virtual-environment.sh .venv-bundle
	@echo 'Installing the program and what bundles it; the first time takes a minute or two.'
	.venv-bundle/bin/python -m pip install --quiet --requirement $< '.[$(BUNDLED)]'
	@touch $@

# Each of the three holds what the one before it holds.
.venv/installed: pyproject.toml $(PYTHON)
	@echo 'Installing the program; the first time takes a minute or two.'
	$(PYTHON) -m pip install --quiet --editable .
	@touch $@

.venv/installed-test: pyproject.toml $(PYTHON)
	@echo 'Installing the program and what its tests need; the first time takes a minute or two.'
	$(PYTHON) -m pip install --quiet --editable '.[test]'
	@touch .venv/installed $@

.venv/installed-dev: pyproject.toml $(PYTHON)
	@echo 'Installing the program and the tools of its developers; the first time takes a minute or two.'
	$(PYTHON) -m pip install --quiet --editable '.[dev]'
	@touch .venv/installed .venv/installed-test $@
