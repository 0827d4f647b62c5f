# docgraph: `make run` starts the dashboard, `make test` runs the tests. Needs Python 3.11 or newer, nothing else.
#
#   make run                     127.0.0.1:8501, or the next free port; loads the sample corpus on first start
#   make run PORT=9000 HOST=0.0.0.0
#   make run HEADLESS=1          does not open a browser (the default on a machine without a display)
#   make run PYTHON=python3.12   makes the virtual environment with this Python

.DEFAULT_GOAL := help
VENV ?= .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.docgraph-installed
TESTS := $(VENV)/.docgraph-test-installed
PYTEST_OPTIONS ?= -n 2 --dist loadfile
BENCH_OPTIONS ?=
DATA ?= ../shared/data
LOCK_OPTIONS ?= --upgrade

# Many shells export HOST as the machine's name: only one given to make counts; DOCGRAPH_HOST is read by docgraph.
ifeq ($(origin HOST),command line)
ADDRESS := --host $(HOST)
endif
ifdef PORT
ADDRESS += --port $(PORT)
endif
ifdef HEADLESS
ADDRESS += --headless
endif

.PHONY: help run test quick check format lint types contracts clients inspect fuzz survive survive-mutants test-servers walks corpora container bench bench-import bench-peers bench-growth bench-dashboard bench-load bench-memory bench-tables quality weight schemas pictures lock sbom audit release wheel-check site image clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F '\t' '{ printf "  make %-15s %s\n", $$1, $$2 }'

run: $(RUNS) ## start the dashboard with the sample corpus
	@exec $(BIN)/docgraph dashboard --load-sample $(ADDRESS)

test: $(TESTS) ## install the test extra and a browser where they are missing, and run all tests
	@sh tools/run-tests $(VENV) $(PYTEST_OPTIONS)

quick: $(TESTS) ## the inner loop: unit and architecture tests without the slow ones, under a minute
	@$(BIN)/python -m pytest tests/unit tests/architecture -m "not slow" -q $(PYTEST_OPTIONS)

check: $(TESTS) ## format, lint, types, then all tests (with the import contracts)
	@$(MAKE) --no-print-directory lint types test

format: $(TESTS) ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(TESTS) ## say what ruff would change
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(TESTS) ## check the types
	$(BIN)/mypy

contracts: $(TESTS) ## check the import contracts and the other rules of the tree
	$(BIN)/pytest tests/architecture tests/survive/test_mutants.py -m "not slow"

clients: $(TESTS) ## install mem0, LangChain, LlamaIndex, Haystack and two clients beside (once), and test with them
	DOCGRAPH_TEST_CLIENTS=1 $(BIN)/pytest tests/integration/clients -rs

inspect: $(TESTS) ## let the independent MCP Inspector (npm) check docgraph mcp
	CI=true $(BIN)/pytest tests/integration/test_mcp_inspector.py

fuzz: $(TESTS) ## 1,000 broken requests to docgraph mcp, by each way (the tests send 100)
	DOCGRAPH_TEST_MCP_CASES=1000 $(BIN)/pytest tests/integration/test_mcp_stdio.py tests/integration/test_mcp_http.py -k nonsense

survive: $(TESTS) ## the programme of faults in its whole form (hours; ROWS="R1 F2" takes these)
	@$(BIN)/python -m tests.survive $(ROWS)

survive-mutants: $(TESTS) ## plant each known weakness into a copy: its row has to notice it (MUTANTS="F6 r1_…" takes these)
	@$(BIN)/python -m tests.survive.mutants $(MUTANTS)

test-servers: $(TESTS) ## PostgreSQL 16, 17, 18 x the extension's schema x roles x poolers x a standby, as far as they are here
	DOCGRAPH_TEST_SERVERS=1 $(BIN)/python -m pytest tests/servers -q -rs $(PYTEST_OPTIONS)

referee: $(TESTS) ## hold imports of public repositories against an independent count (REPOSITORIES=folder)
	$(BIN)/python -m tests.referee --repositories $(REPOSITORIES)

walks: $(TESTS) ## walk first runs in a browser, from an empty dashboard to a judged answer (FOLDERS="name=folder …")
	$(BIN)/python -m tests.walks $(FOLDERS)

corpora: $(TESTS) ## whole public corpora and all their questions, of which the tests take a part
	DOCGRAPH_TEST_ALL_PEPS=1 DOCGRAPH_TEST_ALL_KEPS=1 DOCGRAPH_TEST_ALL_EIPS=1 DOCGRAPH_TEST_ALL_QUESTIONS=1 \
	  $(BIN)/pytest tests/integration/test_real_corpora.py tests/integration/test_import_profiles.py \
	  tests/integration/test_comparison_laws.py tests/integration/test_quality_of_plain_questions.py \
	  tests/integration/test_quality_of_packets.py

container: $(TESTS) ## run the steps of the Dockerfile in a scratch root, without an engine (Linux)
	DOCGRAPH_TEST_CONTAINER=1 $(BIN)/pytest tests/integration/test_container_recipe.py

bench: $(RUNS) ## measure questions, round trips, import and the command line beside hand-written code
	$(BIN)/python -m benchmarks.spine $(BENCH_OPTIONS)

bench-import: $(RUNS) ## measure the import of real text beside counting and COPY alone (TEXTS="folders"; default: generated text)
	$(BIN)/python -m benchmarks.texts $(TEXTS) $(BENCH_OPTIONS)

bench-peers: $(RUNS) ## measure beside other libraries, each installed into an environment of its own
	$(BIN)/python -m benchmarks.peers.compare --environments $(VENV)-peers $(BENCH_OPTIONS)

bench-growth: $(RUNS) ## measure a plan at 10,000 to 1,000,000 chunks (TEXTS=folder; asks before it takes disk and time)
	$(BIN)/python -m benchmarks.growth $(TEXTS) $(BENCH_OPTIONS)

bench-dashboard: $(TESTS) ## measure the dashboard beside a trivial Streamlit app, in a browser
	$(BIN)/python -m benchmarks.dashboard $(BENCH_OPTIONS)

quality: $(RUNS) ## measure public sets with questions, beside published systems (DATA=folder)
	$(BIN)/python -m benchmarks.quality $(DATA) $(BENCH_OPTIONS)

bench-load: $(TESTS) ## measure what one process serves: more and more people and assistants, by Locust
	$(BIN)/python -m benchmarks.load.steps --environment $(VENV)-load $(BENCH_OPTIONS)

bench-memory: $(TESTS) ## measure the memory of the dashboard: at start, with 50 and 100 sessions, after they have left
	$(BIN)/python -m benchmarks.memory --environment $(VENV)-load $(BENCH_OPTIONS)

bench-tables: $(RUNS) ## write the tables of docs/benchmarks.md anew from the last runs
	$(BIN)/python -m benchmarks.tables

weight: $(RUNS) ## count lines of code by room, for the table in docs/architecture.md
	@$(BIN)/python tools/weight.py --write

schemas: $(RUNS) ## write docs/schemas anew
	$(BIN)/docgraph schema --write docs/schemas

pictures: $(TESTS) ## take the pictures of README.md and docs anew, with their words as text (NAMES="plan compare" takes these)
	@DOCGRAPH_CHROMIUM=$$(sh tools/find-browser $(VENV)) $(BIN)/python -m tools.pictures $(NAMES)

lock: ## choose the versions of all packages anew (LOCK_OPTIONS="--upgrade-package NAME" for one of them)
	@sh tools/lock $(VENV)-lock $(LOCK_OPTIONS)

sbom: ## write the bill of materials of what the lock names (CycloneDX): dist/docgraph.cdx.json
	@sh tools/sbom $(VENV)-release dist/docgraph.cdx.json

audit: $(RUNS) ## hold the lock against a copy of the advisories, without a network (ADVISORIES=folder or zip)
	@$(BIN)/python tools/audit.py pylock.toml $(ADVISORIES) --accepted tools/audit-accepted.toml

release: audit ## build what is released, with its bill of materials and sums, into dist (docs/release.md)
	@sh tools/release $(VENV)-release dist

wheel-check: ## build the wheel, check its metadata, and try it as another user, offline, from a path with spaces
	@sh tools/wheel-check $(VENV)-release build/wheel

site: ## build the documentation site into build/site/html; a broken link is an error
	@sh tools/site/build $(VENV)-site build/site

image: ## build the image without root, by podman, buildah or rootless docker (IMAGE=name:tag)
	@sh tools/image $(IMAGE)

clean: ## remove the virtual environment and the caches; data stays
	rm -rf $(VENV) $(VENV)-lock .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist

$(RUNS): pyproject.toml pylock.toml
	@sh tools/install $(VENV) pylock.toml
	@touch $@

$(TESTS): pyproject.toml pylock.test.toml
	@sh tools/install $(VENV) pylock.test.toml
	@touch $@ $(RUNS)
