# Everything a person or the CI runs. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := build/compiled
SOURCES := $(shell find src -name '*.py' -not -path '*/__pycache__/*')
# What one OpenBLAS does while idle counts as CPU time of the benchmark.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help demo test lint test-compiled bench fuzz lock fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.stamp ## run the main job on a stream of events and show what it found
	@$(BIN)/python demo/run.py

test: $(VENV)/.stamp ## run the whole test suite
	@$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.stamp ## check style, types and the direction of dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src setup.py
	PYTHONPATH=src $(BIN)/lint-imports --cache-dir build/imports

test-compiled: $(COMPILED)/.stamp ## run the same tests against a compiled install
	@$(COMPILED)/bin/python .ci/assert_compiled.py
	@$(COMPILED)/bin/python -m pytest -p no:cacheprovider $(ARGS)

bench: $(VENV)/.stamp ## measure, and print the figures as JSON
	@$(BIN)/tocsin bench

fuzz: $(VENV)/.stamp ## look for wrong answers on random rules and events, for long
	@$(BIN)/python tests/fuzz/run.py $(ARGS)

fmt: $(VENV)/.stamp ## format the code and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## renew requirements.lock from pyproject.toml
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/pip install --quiet 'pip==26.3' 'pip-tools==7.6.2'
	PIP_FIND_LINKS= CUSTOM_COMPILE_COMMAND='make lock' build/lock/bin/pip-compile --quiet --upgrade \
		--all-extras --all-build-deps --generate-hashes --allow-unsafe --strip-extras \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--output-file requirements.lock pyproject.toml

clean: ## remove everything made here, .venv too
	rm -rf $(VENV) build dist out .hypothesis .pytest_cache .ruff_cache src/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# A wheel compiled from these sources, in an environment of its own; the other packages are lent by .venv through a
# path file (which, unlike a site directory, does not bring .venv's own editable Tocsin along).
$(COMPILED)/.stamp: $(VENV)/.stamp $(SOURCES) setup.py
	@rm -rf $(COMPILED) build/wheel build/lib* build/bdist*
	@echo "compiling (a minute or more)" >&2
	@TOCSIN_COMPILE=always $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--wheel-dir build/wheel . || { echo "cannot compile Tocsin: the lines above say why" >&2; exit 1; }
	@$(BIN)/python -m venv --without-pip $(COMPILED)
	@$(BIN)/python -m pip --python $(COMPILED)/bin/python install --quiet --disable-pip-version-check --no-deps build/wheel/*.whl
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		> "$$($(COMPILED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/lent.pth"
	@touch $@

$(VENV)/.stamp: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "Tocsin needs Python 3.11 or newer: install it, then say which: make PYTHON=python3.11" >&2; exit 1; }
	@echo "making $(VENV) (once; about a minute)" >&2
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "cannot make $(VENV): install the venv module (apt-get install python3-venv), then run this again" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock \
		&& $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . \
		|| { echo "cannot install Tocsin's packages: check that pip reaches a package index, then run this again ('make clean' starts afresh)" >&2; exit 1; }
	@touch $@
