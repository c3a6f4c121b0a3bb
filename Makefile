# The daily commands, one line each. Logic lives in .ci/ and in the services.
PYTHON ?= python3
VENV := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run test unit nightly check fix protos snapshots conformance docs migration demo-env up down ready-to-run ready-to-test

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: ready-to-run ## the whole product on this machine, with demo data
	@exec $(VENV)/python -m tool_service local $(ARGS)

test: ready-to-test ## every level of tests that one machine can run
	@$(VENV)/pytest $(ARGS)

unit: ready-to-test ## the loop for every save: seconds, no sockets
	@$(VENV)/pytest tests/unit $(ARGS)

nightly: ready-to-test ## properties with twenty times the examples, a hundred deaths while people confirm: minutes
	@$(VENV)/pytest tests/unit --hypothesis-profile=nightly --timeout=1800 $(ARGS)
	@KADU_DEATHS=100 $(VENV)/pytest tests/e2e/test_killed_while_confirming.py $(ARGS)

check: ready-to-test ## what CI runs: format, lint, types, import contracts, generated code, tests
	@$(VENV)/python .ci/check.py

fix: ready-to-test ## format, and mend what can be mended by itself
	@$(VENV)/ruff check --fix --quiet . ; $(VENV)/ruff format .

protos: ready-to-test ## regenerate the gRPC stubs
	@$(VENV)/python .ci/protos.py

snapshots: ready-to-test ## rewrite the golden files of tools and OpenAPI
	@$(VENV)/python -m tests.contract.snapshots.write

conformance: ready-to-test ## let the official suite and real clients judge, and write the page of it
	@$(VENV)/python -m tests.judges.write $(ARGS)

docs: ready-to-test ## regenerate the reference pages
	@$(VENV)/python .ci/reference.py

migration: ready-to-test ## a new database revision: make migration m="why"
	@$(VENV)/python -m tool_service.db.draft "$(m)"

demo-env: ready-to-run ## shell assignments (URL, tokens, ids) for the running product
	@$(VENV)/python -m tool_service demo-env $(ARGS)

up: ## the product in containers, on PostgreSQL, with demo data
	@docker compose --profile demo up --build --detach --wait

down: ## stop the containers; the data stays
	@docker compose --profile demo down

ready-to-run:
	@$(PYTHON) .ci/bootstrap.py run

ready-to-test:
	@$(PYTHON) .ci/bootstrap.py test
