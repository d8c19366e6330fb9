# The verbs, the same on every machine and in CI. Each sets up .venv by itself; nothing is needed but
# Python >= 3.11 with its venv module, make and git.
#
#   make test ARGS="-k b13 -x"     passes words on to pytest
#   make run ARGS="--help"         passes words on to `starledger run`
#   make PYTHON=python3.12 test    chooses the Python that .venv is made with

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test fuzz check format bench page pictures openapi lock clean

PYTHON ?=
ARGS ?=
EXAMPLES ?= 100
SEED ?= 1
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
# One build of the editable package, with the build tools that the lock names.
INSTALL := $(PIP) install -qq --no-build-isolation --constraint requirements.lock

help:
	@echo "make run       the API, the workers and the store, on http://127.0.0.1:8000"
	@echo "make test      all tests"
	@echo "make fuzz      many random requests to every operation of the API: EXAMPLES=100 SEED=1"
	@echo "make check     lint, format, types, dependency rule, contract"
	@echo "make format    repair what the tools can repair"
	@echo "make bench     the measurements"
	@echo "make page      write the page's scripts anew from their modules"
	@echo "make pictures  take the pictures of the page anew (needs Chromium)"
	@echo "make openapi   write openapi.yaml anew from the code"
	@echo "make lock      write requirements.lock anew with the newest versions"
	@echo "make clean     remove .venv and the tools' caches"

run: .venv/.run
	@exec .venv/bin/starledger run $(ARGS)

test: .venv/.dev
	$(PY) -m pytest $(ARGS)

fuzz: .venv/.dev
	FUZZ_EXAMPLES=$(EXAMPLES) FUZZ_SEED=$(SEED) $(PY) -m pytest tests/api/test_schemathesis.py --timeout 0 $(ARGS)

check: .venv/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	.venv/bin/deptry .
	.venv/bin/starledger openapi --check

format: .venv/.dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: .venv/.dev
	@set -e; for script in bench/[a-z]*.py; do echo "== $$script"; $(PY) $$script $(ARGS); done

page: .venv/.run
	$(PY) -m service.web.bundle

pictures: .venv/.dev
	$(PY) docs/screenshots/take.py

openapi: .venv/.dev
	.venv/bin/starledger openapi

# uv resolves for all Pythons and platforms at once and writes no addresses; it stays out of .venv.
lock:
	@$(find_python); set -e; \
	tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	"$$python" -m venv "$$tools"; \
	"$$tools/bin/python" -m pip --disable-pip-version-check install --quiet uv; \
	"$$tools/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras \
		--no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file requirements.lock pyproject.toml; \
	echo "requirements.lock is new; now: make test check"

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov dist

# ------------------------------------------------------------------------------------------------------- set-up

# Sets $$python to a Python that is new enough, or says what is missing. PYTHON goes before all.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
define find_python
python=; \
for candidate in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
	if "$$candidate" -c '$(NEW_ENOUGH)' 2>/dev/null; then python=$$candidate; break; fi; \
done; \
if [ -z "$$python" ]; then \
	echo "Starledger needs Python 3.11 or newer, and there is none on the PATH." >&2; \
	echo "Install one, or name it: make PYTHON=/path/to/python3.12 ..." >&2; \
	exit 1; \
fi; \
if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	echo "$$python has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; \
	echo "Elsewhere install a Python that is whole, or name one: make PYTHON=/path/to/python3.12 ..." >&2; \
	exit 1; \
fi
endef

# A .venv that still runs and is new enough is kept; another is made anew.
define venv
@if ! $(PY) -c '$(NEW_ENOUGH)' 2>/dev/null || ! $(PY) -m pip --version >/dev/null 2>&1; then \
	$(find_python); \
	echo "Making .venv with $$("$$python" --version)"; \
	"$$python" -m venv --clear .venv || exit 1; \
fi
endef

# A .venv whose Python is gone is made anew, whatever its stamps say.
GONE := $(shell test -x $(PY) || echo gone)
.PHONY: gone

.venv/.run: requirements.lock pyproject.toml $(GONE)
	$(venv)
	@echo "Installing what Starledger needs to run (requirements.lock)"
	@$(INSTALL) hatchling editables
	@$(INSTALL) --editable .
	@touch $@

.venv/.dev: .venv/.run
	@echo "Installing what tests and checks need (requirements.lock)"
	@$(INSTALL) --editable '.[export,dev,browser]'
	@touch $@
