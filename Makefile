# claimeven. Two commands matter: `make play` and `make test`. Each sets up .venv the first time (a
# minute or two: it compiles the native core) and starts at once afterwards. `make help` lists the rest.
#
# Needed from the system: Python 3.11 with venv and headers, GCC 12 or Clang 16 or newer, make, Node 20 or newer. CMake and
# Ninja come from pip. Another Python: make PYTHON=python3.12 test
# More arguments for the tool behind a target: make test ARGS="-k perft -x"

PYTHON ?= python3
BIN := .venv/bin
# Everything that the Python of .venv needs; and on top of it, built from native/, the package itself. The name changes
# with the list of packages: an editable install does not notice that a module became a package.
TOOLS := .venv/.tools
READY := .venv/.ready-$(shell find src -name __init__.py | sort | cksum | cut -d ' ' -f 1)
RAY := .venv/.ready-ray
TRAIN := .venv/.ready-train
NEURAL := .venv/.ready-neural
COMPOSE := .venv/.ready-compose
PAGE := src/claimeven/server/static/index.html
NODE := web/node_modules/.package-lock.json
PAGE_SOURCES := $(shell find web src/claimeven/catalogue/told -type f -not -path '*/node_modules/*' 2>/dev/null)
RUNTIME := build/runtime/.ready
KAGGLE := build/venv-kaggle/.ready
FIREFOX := build/firefox/.ready
NATIVE = $(shell find native tests/native bench -name '*.hpp' -o -name '*.cpp')

# Without bytecode every start of Python compiles the package anew: a quarter of the time of the tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup page services play cluster test test-all coverage lint format kaggle fuzz bench docs site lock stub engine static types dist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

play: $(READY) $(PAGE) ## set everything up if needed, then play
	@$(BIN)/claimeven play --lan $(ARGS)

cluster: $(READY) $(PAGE) ## PostgreSQL, NATS, three servers, a worker and a proxy on this machine
	@sh tests/services.sh cluster
	@$(BIN)/python deploy/cluster.py $(ARGS)

# The whole of it is recorded, for bench/house.py.
test: $(READY) $(PAGE) $(RUNTIME) services ## the quick tests
	$(BIN)/python -m pytest -n auto $(if $(ARGS),$(ARGS),--junit-xml=build/tests.xml)

test-all: $(READY) $(KAGGLE) $(FIREFOX) $(PAGE) $(RUNTIME) $(RAY) $(TRAIN) $(NEURAL) $(COMPOSE) ## all tests: the large oracles and the long sanitizer run too
	@sh tests/services.sh all
	$(BIN)/python -m pytest -n auto -m "slow or not slow" $(ARGS)

lint: $(READY) $(NODE) ## ruff, mypy --strict, clang-format, dependencies, workflows, the page with its unit tests, the floors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deptry .
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yml
	$(BIN)/zizmor --quiet --offline .github
	$(BIN)/clang-format --dry-run -Werror $(NATIVE)
	@cd web && npm run --silent lint
	@cd web && npm run --silent check
	@cd web && npm run --silent test
	$(BIN)/python -m pytest -q tests/house/test_floors.py

format: $(READY) $(NODE) ## let ruff, clang-format and prettier rewrite the sources
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE)
	@cd web && npm run --silent format

coverage: $(READY) $(PAGE) $(RUNTIME) services ## the quick tests, and which lines of Python they ran
	$(BIN)/python -m pytest -n auto --cov=claimeven --cov-report=term:skip-covered --cov-report=json:build/coverage.json $(ARGS)

fuzz: $(READY) ## throw garbage at every parser
	$(BIN)/python fuzz/run.py $(ARGS)

bench: $(READY) ## measure the solver; ARGS="--against bitbully" measures a peer beside it
	$(BIN)/claimeven bench $(ARGS)

docs: $(READY) site ## run every example of the documentation, and build its site
	$(BIN)/python -m pytest -q tests/house/test_docs.py $(ARGS)

site: $(READY) ## the documentation as a site in build/site; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

lock: $(READY) ## write dev.lock anew: the versions that .venv has
	@{ sed '/^#/!d' dev.lock; $(BIN)/pip freeze --exclude-editable; } > build/dev.lock
	@mv build/dev.lock dev.lock

stub: $(READY) ## write src/claimeven/_core.pyi anew from the compiled core
	$(BIN)/python -m nanobind.stubgen -q -m claimeven._core -o src/claimeven/_core.pyi
	$(BIN)/ruff check --fix-only --quiet src/claimeven/_core.pyi
	$(BIN)/ruff format --quiet src/claimeven/_core.pyi

engine: $(READY) ## build the engine for browsers, web/engine/engine.wasm, anew (what it needs: native/web/build.sh)
	sh native/web/build.sh
	$(BIN)/python web/engine/levels.py > web/engine/levels.js

static: $(READY) $(PAGE) $(RUNTIME) ## the whole laboratory as static files in build/static, for any web host
	rm -rf build/static
	$(BIN)/claimeven export site build/static --runtime build/runtime

types: $(READY) ## write web/src/lib/contract.ts anew from the types of the server
	$(BIN)/python web/contract.py > web/src/lib/contract.ts.new
	mv web/src/lib/contract.ts.new web/src/lib/contract.ts

dist: $(READY) $(PAGE) ## sdist and wheel, tried in an empty environment
	rm -rf dist build/dist build/tryout
	$(BIN)/python -m build --no-isolation --outdir build/dist .
	mkdir dist && mv build/dist/*.tar.gz dist
	PATH="$$PWD/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/dist/*.whl
	$(BIN)/python -m venv build/tryout
	build/tryout/bin/pip install --quiet --disable-pip-version-check dist/*.whl
	cd build/tryout && bin/claimeven --version
	cd build/tryout && test "$$(bin/claimeven perft 5)" = 16807
	cd build/tryout && bin/claimeven export kaggle level:3 -o submission.py
	cd build/tryout && test "$$(bin/claimeven serve 2>&1 | grep -c 'claimeven\[app\]')" = 1
	build/tryout/bin/pip install --quiet --disable-pip-version-check "$$(echo dist/*.whl)[app]"
	cd build/tryout && bin/claimeven serve --backup copy.db --database sqlite:///none.db 2>&1 | grep -q none.db
	test -f build/tryout/lib/python*/site-packages/claimeven/server/static/index.html
	@ls -l dist

clean: ## remove everything that was built or installed
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis web/node_modules src/claimeven/server/static

setup: $(READY) $(PAGE) ## only set up .venv, the native core and the page

page: $(PAGE) ## build the page

kaggle: $(KAGGLE) ## kaggle-environments for the slow tests: 1.5 GB in an environment of its own

services: ## a browser, a database server, a builder of images, Clang: for the tests (installed only by root)
	@sh tests/services.sh

# Large, and only for the slow tests.
$(RAY) $(TRAIN) $(NEURAL) $(COMPOSE): .venv/.ready-%: $(READY)
	@$(BIN)/pip install --quiet --disable-pip-version-check $$($(BIN)/python -c \
	  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$*"])')
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(NODE)
	@echo 'Building the page …'
	@cd web && npm run --silent build
	@touch $@

$(NODE): web/package-lock.json
	@command -v npm >/dev/null || { echo 'Node 20 or newer with npm is missing: the page cannot be built' >&2; exit 1; }
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

# Python for browsers, 14 MB: only for the static site and its tests. Pyodide's licence is MPL-2.0, msgspec's BSD-3-Clause.
$(RUNTIME): web/rooms/package-lock.json | $(TOOLS)
	@echo 'Fetching Python for browsers …'
	@rm -rf build/runtime && mkdir -p build/runtime
	@cd web/rooms && npm ci --silent --no-audit --no-fund
	@cd web/rooms/node_modules/pyodide && cp pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json \
	  $(CURDIR)/build/runtime
	@$(BIN)/pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest build/runtime \
	  --python-version 3.14 --implementation cp --abi cp314 --platform pyemscripten_2026_0_wasm32 msgspec==0.22.0
	@touch $@

# What drives Firefox in one slow test.
$(FIREFOX):
	@npm install --silent --no-audit --no-fund --prefix build/firefox puppeteer-core@25.16.0
	@touch $@

# It brings 123 packages, some of them older than ours.
$(KAGGLE): pyproject.toml
	@echo 'Installing kaggle-environments …'
	@test -x build/venv-kaggle/bin/pip || $(PYTHON) -m venv build/venv-kaggle
	@build/venv-kaggle/bin/pip install --quiet --disable-pip-version-check $$($(PYTHON) -c \
	  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["kaggle"])')
	@touch $@

INSTALL = PATH="$$PWD/$(BIN):$$PATH" $(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation \
  --config-settings=cmake.define.CLAIMEVEN_WERROR=ON

BUILDING = $(BIN)/pip install --quiet --disable-pip-version-check cmake ninja $$($(BIN)/python -c \
  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
DEVELOPING = $(INSTALL) --editable '.[dev,bench]'
# With the versions of dev.lock, which were tried; where they cannot be had, with the newest that fit.
locked = $(1) --constraint dev.lock || { echo 'without dev.lock:' >&2; $(1); }

# The build requirements come first, so that --no-build-isolation keeps one CMake, one nanobind and one
# build folder for every later build.
$(TOOLS): pyproject.toml dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'claimeven needs Python 3.11 or newer; name it like this: make PYTHON=python3.11 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo 'this Python cannot make a virtual environment; on Debian: apt-get install python3-venv' >&2; exit 1; }
	@test -f "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" || { \
	  echo 'the Python headers are missing; on Debian: apt-get install python3-dev' >&2; exit 1; }
	@command -v "$${CXX:-c++}" >/dev/null || { \
	  echo 'a C++ compiler is missing; on Debian: apt-get install g++' >&2; exit 1; }
	@echo 'Setting up .venv and compiling the native core: a minute or two, only this time …'
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(call locked,$(BUILDING))
	@$(call locked,$(DEVELOPING))
	@touch $@

$(READY): $(TOOLS) CMakeLists.txt $(shell find native -type f)
	@$(INSTALL) --no-deps --editable .
	@touch $@
