# Everything a person or the CI runs. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Compiles what setup.py lists; where that cannot be done the sources are installed as they are, and a line says so.
# The wheel stays: `make wheel` gives it the tag by which others can install it.
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check
INSTALL = rm -rf build/lib* build/bdist* build/temp* build/wheel; echo "compiling (a minute or two)" >&2; \
	{ $(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/wheel . \
		&& $(PIP) install --no-deps --force-reinstall build/wheel/*.whl; } \
	|| { echo "cannot install Tocsin: the lines above say why" >&2; exit 1; }
SOURCES := $(shell find src -name '*.py' -not -path '*/__pycache__/*')
# Tests run in this many processes; what shares Spark or a broker runs in one of them (tests/conftest.py). 0 for a debugger.
WORKERS ?= 2
SPREAD = --numprocesses $(WORKERS) --dist loadgroup
# What one OpenBLAS does while idle counts as CPU time of the benchmark.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help demo serve-demo test lint test-spark-versions test-compiled bench fuzz fuzz-properties fuzz-engine fuzz-sites chaos lock fmt wheel check-wheel \
	web check-web release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.compiled ## three million simulated events through streaming Spark: a table and timelines
	@$(BIN)/python -m demo

serve-demo: $(VENV)/.compiled ## the service on the demo's rules with live traffic, and its page; ARGS="--port N"
	@$(BIN)/python -m demo.serving $(ARGS)

test: $(VENV)/.stamp ## run the whole test suite on the plain sources
	@PYTHONPATH=src $(BIN)/python -m pytest $(SPREAD) $(ARGS)

lint: $(VENV)/.stamp ## check style, types and the direction of dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src setup.py tools
	PYTHONPATH=src $(BIN)/lint-imports --cache-dir build/imports
	$(BIN)/python tools/page.py check

test-spark-versions: $(VENV)/.stamp ## run the core of the tests of Spark on PySpark 3.5, 4.0, 4.1, 4.2, 4.3; ARGS="--only 4.0.2"
	@$(BIN)/python tools/spark_versions.py $(ARGS)

test-compiled: $(VENV)/.compiled ## run the same tests on the compiled package that is installed
	@$(BIN)/python .ci/assert_compiled.py
	@$(BIN)/python -m pytest $(SPREAD) $(ARGS)

bench: $(VENV)/.compiled ## measure the compiled engine against plain loops; ARGS="engine W1 --json" or "papers" for parts
	@$(BIN)/tocsin bench $(ARGS)

fuzz: $(VENV)/.stamp ## look for parsers that break, for long
	@PYTHONPATH=src $(BIN)/python tests/fuzz/run.py $(ARGS)

fuzz-properties: $(VENV)/.stamp ## try random tests with TIMES (20) as many examples as `make test` does
	@TOCSIN_EXAMPLES=$(or $(TIMES),20) PYTHONPATH=src $(BIN)/python -m pytest $(SPREAD) --timeout 7200 -m "not slow" \
		$(or $(ARGS),tests/algebra tests/engine tests/formats tests/languages tests/rules tests/time)

fuzz-engine: $(VENV)/.compiled ## hold the engine to the plain meaning on a million random examples
	@$(BIN)/python tests/fuzz/engine.py $(ARGS)

fuzz-sites: $(VENV)/.compiled ## hold rules cut and spread over sites to the single engine on 105,000 random examples
	@$(BIN)/python tests/fuzz/sites.py $(ARGS)

chaos: $(VENV)/.stamp ## the service's core in SEEDS worlds (100000), sites in 20000; streams killed KILLS times (20), executors and brokers too
	@TOCSIN_SEEDS=$(or $(SEEDS),100000) PYTHONPATH=src $(BIN)/python -m pytest $(SPREAD) --timeout 14400 \
		tests/service/test_simulation.py
	@TOCSIN_KILLS=$(or $(KILLS),20) PYTHONPATH=src $(BIN)/python -m pytest -rP tests/spark/test_kills.py \
		tests/spark/test_live.py tests/spark/test_broker_kills.py $(ARGS)
	@TOCSIN_SEEDS=$(or $(SEEDS),20000) PYTHONPATH=src $(BIN)/python -m pytest $(SPREAD) --timeout 14400 tests/sites/test_worlds.py
	@TOCSIN_KILLS=$(or $(KILLS),50) PYTHONPATH=src $(BIN)/python -m pytest --timeout 7200 -rP tests/brokers/test_sites_kills.py \
		tests/brokers/test_sites_cut_off.py

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

wheel: $(VENV)/.compiled ## build dist/: a compiled wheel for every Linux that can run it, and the sources
	@ls build/wheel/*.whl >/dev/null 2>&1 || { $(INSTALL); }
	@$(BIN)/python tools/wheel.py build/wheel/*.whl

check-wheel: ## install dist/ in empty environments, the sources with a C compiler and without, and run it there
	@for kind in wheel plain compiled; do $(BIN)/python tools/check_wheel.py $$kind || exit 1; done

web: ## build the service's page from web/ into the package; needs Node and npm
	@cd web && npm ci --silent --no-audit --no-fund && npm run --silent check && npm test --silent && npm run --silent build && npm run --silent build:notebook
	@$(PYTHON) tools/page.py stamp

check-web: ## build the page once more, where there is Node, and compare the bytes
	@$(PYTHON) tools/page.py rebuild

release: $(VENV)/.stamp ## prepare a release: VERSION=1.2.3 in its one place, the changelog's section, a kept snapshot
	@$(BIN)/python tools/release.py $(VERSION)

clean: ## remove everything made here, .venv too
	rm -rf $(VENV) build dist out .hypothesis .pytest_cache .ruff_cache src/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# The package in .venv is compiled from the sources as they were; this brings it up to date. Tests on the plain sources
# do not need it: they put `src` first.
$(VENV)/.compiled: $(VENV)/.stamp $(SOURCES) setup.py
	@if [ ! -e $@ ] || [ -n "$$(find src setup.py -name '*.py' -newer $@)" ]; then $(INSTALL); fi  # not twice
	@touch $@

$(VENV)/.stamp: requirements.lock pyproject.toml
	@command -v java >/dev/null || [ -n "$$JAVA_HOME" ] \
		|| { [ "$$(id -u)" = 0 ] && apt-get install --quiet --yes openjdk-17-jre-headless >/dev/null 2>&1; } \
		|| echo "no Java: what runs on Spark is left out; for it, apt-get install openjdk-17-jre-headless" >&2
	@# RUNLEVEL: the servers are for the tests, which start them; none is to be started now.
	@for server in nats-server mosquitto; do PATH="$$PATH:/usr/sbin" command -v $$server >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && RUNLEVEL=1 apt-get install --quiet --yes $$server >/dev/null 2>&1; } \
		|| echo "no $$server: the tests that need it are left out; for them, apt-get install $$server" >&2; done
	@# PostgreSQL would make a cluster of its own and start it, unless it is told before. Its programs stand on nobody's path.
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && export RUNLEVEL=1 && { apt-get install --quiet --yes postgresql-common \
			&& pg_conftool /etc/postgresql-common/createcluster.conf set create_main_cluster false \
			&& apt-get install --quiet --yes postgresql; } >/dev/null 2>&1; } \
		|| echo "no PostgreSQL: the tests that need it are left out; for them, apt-get install postgresql" >&2
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install --quiet --yes chromium >/dev/null 2>&1; } \
		|| echo "no chromium: the tests of the page are left out; for them, apt-get install chromium" >&2
	@command -v mvn >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install --quiet --yes maven >/dev/null 2>&1; } \
		|| echo "no Maven: the tests with Kafka are left out; for them, apt-get install maven" >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "Tocsin needs Python 3.11 or newer: install it, then say which: make PYTHON=python3.11" >&2; exit 1; }
	@echo "making $(VENV) (once; about a minute)" >&2
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "cannot make $(VENV): install the venv module (apt-get install python3-venv), then run this again" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock \
		|| { echo "cannot install Tocsin's packages: check that pip reaches a package index, then run this again ('make clean' starts afresh)" >&2; exit 1; }
	@$(INSTALL)
	@touch $@ $(VENV)/.compiled
