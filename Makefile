# Two commands do everything on a fresh machine: `make demo` and `make test`. Only Python 3.11+ and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_READY := $(VENV)/.ready-run
DEV_READY := $(VENV)/.ready-dev
APART := .venv-apart
APART_READY := $(APART)/.ready

.PHONY: help demo test check format lint types layers images browser bench eval lock clean

help:  ## What there is to do
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/uv.txt

$(RUN_READY): requirements/run.txt pyproject.toml | $(BIN)/uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements/run.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps -e .
	$(BIN)/python -m compileall -q src/inquest  # so that the first run is as quick as the second
	@touch $@

$(DEV_READY): requirements/dev.txt $(RUN_READY)
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements/dev.txt
	@touch $@

$(APART_READY): requirements/apart.txt | $(BIN)/uv
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(APART)
	$(BIN)/uv pip install --quiet --python $(APART)/bin/python --require-hashes -r requirements/apart.txt
	@touch $@

demo: $(RUN_READY)  ## A whole inquiry on the bundled collection, plan to report: no key, no network
	$(BIN)/inquest demo

# A test that fails is run once more, and named in the summary (RERUN) where it then passes: it hangs on timing. Files go
# out in their own order: sorted by their number of tests, those of few but long tests would come last, one core idle.
# Three workers for two cores, since many tests wait for a limit or a process.
test: $(DEV_READY) $(APART_READY)  ## All tests but the browser's, offline
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not browser" --reruns 1 -rR $(PYTEST_OPTIONS)

check: format lint types layers images test  ## Everything CI checks

format: $(DEV_READY)  ## Is the code formatted?
	$(BIN)/ruff format --check .

lint: $(DEV_READY)  ## Is the code clean?
	$(BIN)/ruff check .

types: $(DEV_READY)  ## Do the types hold (strict)?
	$(BIN)/mypy

layers: $(DEV_READY)  ## Does everyone import only what they may?
	$(BIN)/lint-imports

images: $(APART_READY)  ## Are the Dockerfile and the compose file sound?
	$(APART)/bin/hadolint Dockerfile
	$(APART)/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml

browser: $(DEV_READY)  ## The tests that drive a real browser (needs chromium)
	$(BIN)/python -m pytest tests/browser -n 2 -m browser --reruns 1 -rR

bench: $(DEV_READY)  ## Speed and quality that need no evaluation data
	$(BIN)/python -m bench

eval: $(DEV_READY)  ## Quality on the evaluation data in ../shared
	$(BIN)/python -m bench.quality all

lock:  $(BIN)/uv  ## Refresh the locked requirements from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra pdf pyproject.toml -o requirements/run.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra pdf --extra postgres --group dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --group apart -o requirements/apart.txt

clean:  ## Remove what was built
	rm -rf $(VENV) $(APART) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
