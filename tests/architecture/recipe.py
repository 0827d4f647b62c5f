"""The Dockerfile as its instructions, and the compose file as data."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import yaml

from tests import ROOT


@cache
def instructions() -> tuple[tuple[str, str], ...]:
    """(NAME, rest of the line) of each, comments left out, continued lines joined."""
    text = re.sub(r"(?m)^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return tuple((name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line.strip()))


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage, its FROM first."""
    found: list[list[tuple[str, str]]] = []
    for name, rest in instructions():
        if name == "FROM":
            found.append([])
        if found:
            found[-1].append((name, rest))
    return found


def given(stage: int, name: str) -> list[str]:
    """What stands behind each instruction of that name in a stage."""
    return [rest for each, rest in stages()[stage] if each == name]


@cache
def services() -> dict[str, Any]:
    """The services of docker-compose.yml."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert isinstance(services, dict)
    return services
