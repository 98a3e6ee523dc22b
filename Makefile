# Spec Factory. `make` alone lists what can be done here.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STAMP := .venv/.installed
FIND_BROWSER = $(BIN)/python -c 'import asyncio, sys; from specfactory.adapters.browser import usable_browser; from specfactory.settings import BrowserSettings; sys.exit(not asyncio.run(usable_browser(BrowserSettings())))'
BENCH := .venv-bench
BENCH_STAMP := $(BENCH)/.installed
export UV_SYSTEM_CERTS = 1
export UV_NATIVE_TLS = 1
# Tests and benchmarks start hundreds of processes: compiled modules are kept, whatever the shell says.
export UV_COMPILE_BYTECODE = 1
unexport PYTHONDONTWRITEBYTECODE

help: ## list the commands
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## make .venv with everything in it (the other commands do it when needed)

$(STAMP): requirements.lock requirements-setup.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Spec Factory needs Python 3.11 or newer; say: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "setting up .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-setup.lock
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

$(BENCH_STAMP): $(STAMP) requirements-bench.lock
	@echo "setting up $(BENCH), with the peers that the benchmarks compare with (once)"
	@test -x $(BENCH)/bin/python || $(BIN)/python -m venv --without-pip $(BENCH)
	@$(BIN)/uv pip sync --quiet --python $(BENCH)/bin/python --require-hashes requirements-bench.lock
	@$(BIN)/uv pip install --quiet --python $(BENCH)/bin/python --no-deps --no-build-isolation --editable .
	@touch $(BENCH_STAMP)

browser: $(STAMP) ## bring a browser along where none is installed (tests and the demo do it)
	@$(FIND_BROWSER) || { echo "installing a browser (once)"; \
	  { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && { apt-get -qq update; \
	    apt-get -qq install -y --no-install-recommends chromium > /dev/null; } && $(FIND_BROWSER); } \
	  || $(BIN)/playwright install chromium \
	  || echo "no browser could be installed: pages that need one cannot be fetched"; }

demo: $(STAMP) browser ## show the factory at work on a small web of its own
	@$(BIN)/spec demo run

test: $(STAMP) browser lint types ## run every test
	@$(BIN)/python -m pytest -n auto --dist worksteal

fuzz: $(STAMP) browser ## run every test on newly drawn examples
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP) ## check style and import rules
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check .
	@$(BIN)/lint-imports --no-cache > .venv/imports.log || { cat .venv/imports.log; exit 1; }

types: $(STAMP) ## check types
	@$(BIN)/mypy --no-error-summary

bench: $(BENCH_STAMP) ## measure everything and write benchmarks/results.md
	@$(BENCH)/bin/python -m benchmarks

peers: $(BENCH_STAMP) ## make the environment of the benchmarks, with the peers in it

chaos: $(STAMP) ## kill and stop workers and servers at random, then check that nothing is lost
	@$(BIN)/python -m benchmarks.chaos $(CHAOS)

docs: $(STAMP) ## write the reference pages anew from the code
	@$(BIN)/python -m specfactory.entry.reference docs/reference

lock: $(STAMP) ## resolve the dependencies anew into the hashed lock files
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-annotate --python-version 3.11 --group dev pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-annotate --python-version 3.11 --constraint requirements.lock --group dev --group bench pyproject.toml -o requirements-bench.lock
	@echo "uv" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-annotate --python-version 3.11 - -o requirements-setup.lock

audit: $(STAMP) ## check the locked packages against advisories (2: could not be checked)
	@$(BIN)/python -m benchmarks.audit

clean: ## remove what can be made again
	@rm -rf .venv .venv-bench .demo .mypy_cache .ruff_cache .hypothesis dist build

.PHONY: help install browser demo test fuzz lint types bench peers chaos docs lock audit clean
