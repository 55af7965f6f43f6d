# Everything a developer or CI runs. Needs only python3 (3.11 or newer, with venv) and make.
PYTHON ?= python3
BIN := .venv/bin
RUNTIME := .venv/runtime-installed
DEV := .venv/dev-installed
SERVER := --extra postgres --extra qdrant --extra redis --extra llm --extra metrics --extra otel
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help install run test check fix bench lint types imports conformance lock
help:         ## Show the targets.
	@grep -E '^[a-z]+: +.*##' $(MAKEFILE_LIST) | sed 's/:.*## */\t/'
install: $(RUNTIME) ## Make .venv with the hindsight-memory command in it.
run: $(RUNTIME) ## Install and serve on http://127.0.0.1:8080.
	$(BIN)/hindsight-memory serve
test: $(DEV) ## Every test.
	$(BIN)/pytest -q
check: lint types imports test ## Lint, types, dependency contracts and tests, as CI does.
fix: $(DEV) ## Format and repair what can be repaired.
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .
bench: $(DEV) ## The benchmarks, one after the other; takes minutes.
	$(BIN)/python benchmarks/quality.py && $(BIN)/python benchmarks/speed.py
lint: $(DEV) ## Format and lint, changing nothing.
	$(BIN)/ruff format --check . && $(BIN)/ruff check .
types: $(DEV) ## mypy --strict.
	$(BIN)/mypy
imports: $(DEV) ## The dependency contracts.
	$(BIN)/lint-imports
conformance: $(DEV) ## The store contract, on every backend.
	$(BIN)/pytest -q tests/conformance
lock: $(DEV) ## Resolve the dependencies anew.
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml -o requirements/runtime.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml $(SERVER) -o requirements/server.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml --group dev -o requirements/dev.txt


$(RUNTIME): pyproject.toml requirements/runtime.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements/runtime.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@
$(DEV): $(RUNTIME) requirements/dev.txt
	$(BIN)/pip install --quiet --require-hashes -r requirements/dev.txt
	touch $@
