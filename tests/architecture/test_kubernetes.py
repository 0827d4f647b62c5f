"""What can be held of the Kubernetes manifests without a cluster: they say what docker-compose.yml says."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import yaml

from docgraph.ui.shell import alive
from tests import ROOT
from tests.architecture.recipe import given, services

FOLDER = ROOT / "deploy" / "kubernetes"
SECRET = {"name": "docgraph-database", "key": "password"}
NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
ROLES = {"dashboard": ("Deployment", "app"), "database": ("StatefulSet", "database")}
"""Component → the kind that runs it, and its service in the compose file."""


@cache
def objects() -> dict[tuple[str, str], dict[str, Any]]:
    """(kind, component) → the object; every file is read."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(FOLDER.iterdir()):
        for each in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            found[each["kind"], each["metadata"]["labels"]["app.kubernetes.io/component"]] = each
    return found


def pod(component: str) -> dict[str, Any]:
    spec: dict[str, Any] = objects()[ROLES[component][0], component]["spec"]["template"]["spec"]
    return spec


def container(component: str) -> dict[str, Any]:
    (only,) = pod(component)["containers"]
    assert isinstance(only, dict)
    return only


def test_there_is_what_runs_and_how_it_is_reached_and_the_password_is_not_among_it() -> None:
    versions = {key: each["apiVersion"] for key, each in objects().items()}
    assert versions == {
        ("Deployment", "dashboard"): "apps/v1",
        ("StatefulSet", "database"): "apps/v1",
        ("Service", "dashboard"): "v1",
        ("Service", "database"): "v1",
    }
    assert all(NAME.fullmatch(each["metadata"]["name"]) for each in objects().values())


@pytest.mark.parametrize("component", ROLES)
def test_a_service_finds_the_pods_and_their_port(component: str) -> None:
    kind, _ = ROLES[component]
    service, runs = objects()["Service", component], objects()[kind, component]
    labels = runs["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == runs["spec"]["selector"]["matchLabels"] == labels
    ports = {port["name"]: port["containerPort"] for port in container(component)["ports"]}
    assert {port["targetPort"] for port in service["spec"]["ports"]} <= set(ports)
    assert set(ports.values()) == {8501 if component == "dashboard" else 5432}


@pytest.mark.parametrize("component", ROLES)
def test_the_settings_are_those_of_the_compose_file(component: str) -> None:
    named = {each["name"]: each for each in container(component)["env"]}
    composed = services()[ROLES[component][1]]["environment"]
    assert set(named) == set(composed)
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in named if name.startswith("DOCGRAPH_") and f"`{name}`" not in page] == []
    for name, each in named.items():
        if "PASSWORD" in name:
            assert each["valueFrom"] == {"secretKeyRef": SECRET}
        elif name == "DOCGRAPH_DATABASE_URL":
            where = objects()["Service", "database"]["metadata"]["name"]
            assert each["value"] == composed[name].replace("@database:", f"@{where}:")
        else:
            assert each["value"] == re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", composed[name])


@pytest.mark.parametrize("component", ROLES)
def test_it_runs_without_rights_on_a_file_system_that_it_cannot_write(component: str) -> None:
    around, within = pod(component)["securityContext"], container(component)["securityContext"]
    assert around["runAsNonRoot"] is True
    assert around["runAsUser"] > 0
    assert around["seccompProfile"] == {"type": "RuntimeDefault"}
    assert within == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod(component)["automountServiceAccountToken"] is False
    resources = container(component)["resources"]
    assert set(resources["limits"]) == set(resources["requests"]) == {"cpu", "memory"}
    assert resources["limits"]["memory"] == services()[ROLES[component][1]]["mem_limit"][-3:-1].upper() + "i"


def test_the_users_are_those_of_the_images() -> None:
    (user,) = given(1, "USER")
    around = pod("dashboard")["securityContext"]
    assert f"{around['runAsUser']}:{around['runAsGroup']}" == user
    assert container("database")["image"] == services()["database"]["image"]


@pytest.mark.parametrize("component", ROLES)
def test_what_is_written_has_a_place(component: str) -> None:
    claimed = objects()[ROLES[component][0], component]["spec"].get("volumeClaimTemplates", [])
    there = {each["name"] for each in pod(component)["volumes"]} | {each["metadata"]["name"] for each in claimed}
    mounted = {each["name"]: each["mountPath"] for each in container(component)["volumeMounts"]}
    assert set(mounted) == there
    composed = services()[ROLES[component][1]]
    kept = [each.split(":")[1] for each in composed.get("volumes", ())]
    assert {*kept, *(each.split(":")[0] for each in composed.get("tmpfs", ()))} <= set(mounted.values())
    assert [mounted[each["metadata"]["name"]] for each in claimed] == kept


def test_the_cluster_sets_no_variable_that_is_a_setting() -> None:
    """A service ``docgraph`` makes ``DOCGRAPH_PORT=tcp://…`` in every pod that does not refuse it."""
    assert pod("dashboard")["enableServiceLinks"] is False


def test_the_probes_ask_the_health_address_under_a_name_that_is_answered() -> None:
    probes = container("dashboard")
    for name in ("startupProbe", "readinessProbe"):
        asked = probes[name]["httpGet"]
        assert (asked["path"], asked["port"]) == (alive.PATH, "http")
        assert asked["httpHeaders"] == [{"name": "Host", "value": "127.0.0.1:8501"}]
    assert set(probes["livenessProbe"]) & {"httpGet", "exec"} == set(), "a database that is away ends no dashboard"
    command = container("database")["readinessProbe"]["exec"]["command"][-1]
    assert command == services()["database"]["healthcheck"]["test"][1].replace("$$", "$")
