# make run    play against the house bot (or watch two bots, where there is no display)
# make install  what is needed, without starting anything
# make test   the whole test suite
# make check  style and types; part of make test
# make soak   the long runs: thousands of random shots and matches
# make kills  KILLS times SIGKILL for a server under load, on both databases
# make reliability  every fault of the catalogue, long; writes docs/reliability.md
# make fuzz-wire    MESSAGES wrong messages of SEED from batch FIRST on
# make fuzz   CASES random shots of SEED, each held to what every run promises
# make bench  speed on this machine
# make club   a club night of bots: the board and an official's commands to look at
# make club-night   a whole night with everything that goes wrong, recounted from its matches
# make figures  write docs/physics.md and its pictures anew
# make pictures  draw docs/pictures anew

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Tests start dozens of programs: without bytecode each compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install pictures club club-night run test check soak kills reliability fuzz-wire fuzz lock clean help bench figures rules-coverage settings-page

# Install into .venv and compile, without starting anything.
install: $(READY)

run: $(READY)
	@$(BIN)/headstring run

test: $(READY) check
	@$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

soak: $(READY)
	@HEADSTRING_SOAK=1 $(BIN)/python -m pytest tests/physics tests/shared_rules tests/server/competitions \
	  tests/end_to_end/test_lan.py

KILLS ?= 50
kills: $(READY)
	@$(BIN)/python -m tests.server.kills --kills $(KILLS)

reliability: $(READY)
	@$(BIN)/python -m tests.faults.reliability

club: $(READY)
	@$(BIN)/headstring club

club-night: $(READY)
	@$(BIN)/python -m tests.end_to_end.club_night

MESSAGES ?= 1000000
FIRST ?= 0
fuzz-wire: $(READY)
	@$(BIN)/python -m tests.faults.wire_fuzz --messages $(MESSAGES) --seed $(SEED) --first $(FIRST)

CASES ?= 100000
SEED ?= 1
WORKERS ?= 1
FROM ?= 0
fuzz: $(READY)
	@$(BIN)/python -m tests.physics.fuzz --cases $(CASES) --seed $(SEED) --workers $(WORKERS) --from $(FROM)

# Play the golden traces anew (tests/data/rules/traces).
traces: $(READY)
	@$(BIN)/python -m tests.traces

# Write docs/rules-coverage.md: which code and which tests name each rule.
rules-coverage: $(READY)
	@$(BIN)/python -m tests.rules_coverage

# Write docs/settings.md from what server/config declares.
settings-page: $(READY)
	@$(BIN)/python -m tests.settings_page

# Draw the pictures of the documentation anew (docs/pictures).
pictures: $(READY)
	@$(BIN)/python -m tests.pictures

bench: $(READY)
	@$(BIN)/headstring bench physics
	@$(BIN)/headstring bench rules
	@$(BIN)/headstring bench league
	@$(BIN)/headstring bench server
	@$(BIN)/headstring bench client

figures: $(READY)
	@$(BIN)/python -m benchmarks.physics_page

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Headstring needs Python 3.11, 3.12 or 3.13; none was found. Set PYTHON=/path/to/python."; exit 1; }
	@echo "Making the environment in $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); echo "Python can't make virtual environments here (Debian and Ubuntu: apt-get install python3-venv)."; exit 1; }
	@echo "Installing the packages that requirements.lock names (a minute or two) ..."
	@{ $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --require-hashes -r requirements.lock \
	   && touch $(VENV)/.installed; } | sed -n 's/^Collecting \([^ ]*\).*/  \1/p'
	@test -f $(VENV)/.installed
	@$(BIN)/python -m pip install --disable-pip-version-check -q --no-build-isolation --no-deps -e .
	@$(BIN)/headstring warm-up
	@touch $@

# Renew the lock after pyproject.toml has changed (needs uv).
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header -o requirements.lock

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

help:
	@sed -n '/^$$/q; s/^# make/make/p' Makefile
