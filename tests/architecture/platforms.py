"""The systems that docgraph is installed on, as pip sees them: what a lock file's markers and wheels must fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

PYTHONS = (11, 12, 13, 14)
OLDEST_GLIBC = 28
"""2.28 is what the embedded PostgreSQL's wheels ask for."""


@dataclass(frozen=True)
class System:
    """``names`` = what Python calls it in markers; ``platforms`` = the ends of the wheels that it takes, best first."""

    names: tuple[str, str, str, str]
    platforms: tuple[str, ...]

    def tags(self, minor: int) -> frozenset[Tag]:
        """All wheels that CPython 3.``minor`` takes here."""
        version = (3, minor)
        ours = cpython_tags(version, [f"cp3{minor}"], self.platforms)
        return frozenset([*ours, *compatible_tags(version, f"cp3{minor}", self.platforms)])

    def environment(self, minor: int) -> dict[str, str]:
        """What markers ask about (PEP 508)."""
        os_name, sys_platform, platform_system, machine = self.names
        return {
            "os_name": os_name,
            "sys_platform": sys_platform,
            "platform_system": platform_system,
            "platform_machine": machine,
            "platform_release": "",
            "platform_version": "",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "implementation_version": f"3.{minor}.0",
            "python_version": f"3.{minor}",
            "python_full_version": f"3.{minor}.0",
        }


def _linux(machine: str, *libraries: str) -> System:
    return System(("posix", "linux", "Linux", machine), tuple(f"{each}_{machine}" for each in (*libraries, "linux")))


def _glibc(machine: str) -> System:
    older = ("manylinux2014", "manylinux_2_12", "manylinux2010", "manylinux_2_5", "manylinux1")
    return _linux(machine, *(f"manylinux_2_{minor}" for minor in range(OLDEST_GLIBC, 16, -1)), *older)


def _mac(release: int, machine: str) -> System:
    return System(("posix", "darwin", "Darwin", machine), tuple(mac_platforms((release, 0), machine)))


SYSTEMS: Mapping[str, System] = {
    "Linux x86-64": _glibc("x86_64"),
    "Linux aarch64": _glibc("aarch64"),
    "macOS 13 arm64": _mac(13, "arm64"),
    "Windows x86-64": System(("nt", "win32", "Windows", "AMD64"), ("win_amd64",)),
    "macOS 13 x86-64": _mac(13, "x86_64"),
    "Windows arm64": System(("nt", "win32", "Windows", "ARM64"), ("win_arm64",)),
    "Alpine x86-64": _linux("x86_64", "musllinux_1_2", "musllinux_1_1"),
}
SUPPORTED = ("Linux x86-64", "Linux aarch64", "macOS 13 arm64", "Windows x86-64")


def without_wheel(packages: Iterable[Mapping[str, Any]], system: System, minor: int) -> list[str]:
    """Names of a lock file's packages that CPython 3.``minor`` needs on ``system`` and finds no wheel of."""
    environment, tags = system.environment(minor), system.tags(minor)
    needed = (each for each in packages if "marker" not in each or _marker(each["marker"]).evaluate(environment))
    return [each["name"] for each in needed if not any(_tags(wheel) & tags for wheel in file_names(each))]


def file_names(package: Mapping[str, Any]) -> list[str]:
    """The file names of a locked package's wheels."""
    return [str(wheel["url"]).rsplit("/", 1)[-1] for wheel in package.get("wheels", ())]


@cache
def _marker(text: str) -> Marker:
    return Marker(text)


@cache
def _tags(wheel: str) -> frozenset[Tag]:
    return parse_wheel_filename(wheel)[3]
