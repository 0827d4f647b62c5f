"""What can be held of the container's recipe and of the compose file without an engine."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from docgraph.plugins.stores.postgres.server.binaries import MAJOR_VERSION
from docgraph.ui.shell import alive
from tests import ROOT
from tests.architecture.recipe import given, instructions, services, stages

IMAGE = re.compile(r"[a-z/]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}")
"""Image:version@digest: the digest is what counts, the version says to a reader what it is."""
SERVICES = ("database", "app")


def test_every_image_is_named_by_version_and_digest() -> None:
    (python,) = (rest.removeprefix("PYTHON_IMAGE=") for name, rest in instructions() if name == "ARG")
    assert IMAGE.fullmatch(python)
    assert [stage[0][1].split()[0] for stage in stages()] == ["${PYTHON_IMAGE}"] * 2
    assert IMAGE.fullmatch(services()["database"]["image"])
    assert "image" not in services()["app"]


def test_the_compose_file_keeps_to_the_specification(tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="make test installs it")
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("services: {app: {memory_limit: 2g}}", encoding="utf-8")
    assert _schema_says(ROOT / "docker-compose.yml") == 0
    assert _schema_says(wrong) == 1


def _schema_says(path: Path) -> int:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_the_served_postgresql_has_the_major_version_of_the_embedded_one() -> None:
    assert f"-pg{MAJOR_VERSION}-" in services()["database"]["image"]
    assert services()["database"]["volumes"] == ["postgres:/var/lib/postgresql"]


def test_there_is_no_password_that_everybody_knows() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{DOCGRAPH_DB_PASSWORD(..)", text)) == {":?"}
    assert services()["database"]["environment"]["POSTGRES_PASSWORD"].startswith("${DOCGRAPH_DB_PASSWORD:?")
    assert services()["app"]["environment"]["PGPASSWORD"].startswith("${DOCGRAPH_DB_PASSWORD:?")
    assert not re.search(r"//[^/\s]*:[^/\s]*@", text), "a password in a URL"


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits_and_gains_no_rights(name: str) -> None:
    service = services()[name]
    assert re.fullmatch(r"\$\{\w+:-\d+g\}", service["mem_limit"])
    assert service["pids_limit"] > 0
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_dashboard_runs_as_a_number_that_is_not_root_and_on_a_file_system_that_it_cannot_write() -> None:
    (user,) = given(1, "USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert any(f"--uid {user.split(':')[0]} " in command for command in given(1, "RUN"))
    app = services()["app"]
    assert (app["user"], app["read_only"], app["cap_drop"]) == (user, True, ["ALL"])
    assert all(port.startswith("127.0.0.1:") for port in app["ports"])


def test_both_health_checks_ask_the_database() -> None:
    (check,) = given(1, "HEALTHCHECK")
    assert f"http://127.0.0.1:8501{alive.PATH}'" in check
    assert "psql -h 127.0.0.1 " in services()["database"]["healthcheck"]["test"][1]
    assert "SELECT 1" in services()["database"]["healthcheck"]["test"][1]
    assert services()["app"]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_the_container_holds_what_the_lock_names_checked_and_never_compiled() -> None:
    first, second = given(0, "RUN")
    assert "locked_requirements.py pylock.toml > requirements.txt" in first
    assert "--only-binary :all: --require-hashes -r requirements.txt" in first
    assert "--no-deps ." in second


def test_the_recipe_copies_files_that_are_there_and_all_that_the_package_is_built_from() -> None:
    copied = {source for rest in given(0, "COPY") for source in rest.split()[:-1]}
    missing = {source for source in copied if not (ROOT / source).exists() or _ignored(source)}
    assert missing == set()
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {project["project"]["readme"], *project["project"]["license-files"], *wheel["packages"]}
    assert {"pyproject.toml", *needed, *wheel["force-include"]} <= copied


def test_secrets_and_environments_of_this_folder_stay_out_of_the_image() -> None:
    assert all(_ignored(name) for name in (".env", ".git", ".venv", ".venv-lock", "tests"))


def _ignored(name: str) -> bool:
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
