"""The lock files hold what pyproject.toml asks for, as wheels on every system that is supported; no network here."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests import ROOT
from tests.architecture.platforms import PYTHONS, SUPPORTED, SYSTEMS, file_names, without_wheel

RUNS, TESTS = "pylock.toml", "pylock.test.toml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

LOCKED = ("dashboard", "mcp")
"""The extras of what is installed for use: by ``make run`` and in the image."""


@cache
def packages(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads((ROOT / name).read_text(encoding="utf-8"))["packages"])


def versions(name: str) -> dict[str, set[str]]:
    """Package → its versions; a lock may hold two, each for other Pythons."""
    found: dict[str, set[str]] = {}
    for each in packages(name):
        found.setdefault(each["name"], set()).add(each["version"])
    return found


def asked_by(*extras: str) -> list[Requirement]:
    """What the project asks for with these extras, and with those that they name."""
    extra = [Requirement(each) for name in extras for each in PROJECT["optional-dependencies"][name]]
    own = {name for each in extra if each.name == PROJECT["name"] for name in each.extras}
    others = [each for each in extra if each.name != PROJECT["name"]]
    return [*(asked_by(*sorted(own)) if own else map(Requirement, PROJECT["dependencies"])), *others]


@pytest.mark.parametrize(("lock", "asked"), [(RUNS, asked_by(*LOCKED)), (TESTS, asked_by("test"))])
def test_a_lock_holds_every_dependency_in_a_version_that_is_asked_for(lock: str, asked: list[Requirement]) -> None:
    locked = versions(lock)
    for requirement in asked:
        there = locked.get(canonicalize_name(requirement.name))
        assert there, f"{requirement.name} is not in {lock}: make lock LOCK_OPTIONS="
        assert all(requirement.specifier.contains(each) for each in there), f"{requirement}: {there}; make lock"


def test_what_makes_and_what_replaces_the_lock_ask_for_the_same_extras() -> None:
    lock, install = ((ROOT / "tools" / name).read_text(encoding="utf-8") for name in ("lock", "install"))
    assert tuple(re.findall(r"--extra (\w+)", lock)) == ("test", *LOCKED)
    assert f'extras="[{",".join(LOCKED)}]"' in install


def test_tests_run_on_the_versions_that_are_installed_for_use() -> None:
    tested = versions(TESTS)
    assert {name: found for name, found in versions(RUNS).items() if tested.get(name) != found} == {}


@pytest.mark.parametrize("lock", [RUNS, TESTS])
def test_a_lock_names_files_of_the_public_index_and_no_place_of_a_machine(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    urls = re.findall(r"[a-z+]+://[^\"' ]+", text)
    assert urls
    assert [url for url in urls if not url.startswith("https://files.pythonhosted.org/packages/")] == []
    assert not re.search(r"(?m)^index = |path = ", text)


@pytest.mark.parametrize("minor", PYTHONS)
@pytest.mark.parametrize("system", SUPPORTED)
@pytest.mark.parametrize("lock", [RUNS, TESTS])
def test_nothing_has_to_be_compiled(lock: str, system: str, minor: int) -> None:
    missing = without_wheel(packages(lock), SYSTEMS[system], minor)
    assert missing == [], f"{lock}: no wheel for {system}, Python 3.{minor}: {', '.join(missing)}"


def test_a_package_without_a_wheel_is_named() -> None:
    """The last wordllama shows it: what this project ran into."""
    wheels = ("cp311-cp311-macosx_14_0_arm64", "cp313-cp313-manylinux_2_17_x86_64", "cp313-cp313-win_amd64")
    wordllama = {"name": "wordllama", "wheels": [{"url": f"https://x/wordllama-0.4.0-{each}.whl"} for each in wheels]}
    found = {
        (system, minor): without_wheel([wordllama], SYSTEMS[system], minor) == []
        for system in SUPPORTED
        for minor in PYTHONS
    }
    assert sorted(place for place, is_there in found.items() if is_there) == [
        ("Linux x86-64", 13),
        ("Windows x86-64", 13),
    ]


def test_the_page_of_dependencies_says_where_a_wheel_is_missing() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| ((?:Linux|macOS|Windows|Alpine)[^|]*?) \| ([^|]*?) \|$", page))
    found = {}
    for name, system in SYSTEMS.items():
        missing = sorted({each for minor in PYTHONS for each in without_wheel(packages(RUNS), system, minor)})
        found[name] = ", ".join(missing) or "none"
    assert rows == found


def test_the_default_embedder_comes_as_one_wheel_for_every_system() -> None:
    (wordllama,) = (each for each in packages(RUNS) if each["name"] == "wordllama")
    assert file_names(wordllama) == [f"wordllama-{Version(wordllama['version'])}-py3-none-any.whl"]


# ---------------------------------------------------------------- what pip is given


@cache
def converter() -> ModuleType:
    spec = importlib.util.spec_from_file_location("locked_requirements", ROOT / "tools" / "locked_requirements.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pip_is_given_every_package_with_its_marker_and_the_hashes_of_all_its_files() -> None:
    given = converter().requirements({"packages": packages(RUNS)})
    entries = [re.sub(r" \\\n\s+", " ", entry) for entry in re.split(r"\n(?=\S)", given.strip())]
    assert len(entries) == len(packages(RUNS))
    for entry, package in zip(entries, packages(RUNS), strict=True):
        line, *hashes = entry.split(" --hash=sha256:")
        asked = Requirement(line)
        assert (asked.name, str(asked.specifier)) == (package["name"], f"=={package['version']}")
        assert (asked.marker is None) == ("marker" not in package)
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        assert sorted(hashes) == sorted({file["hashes"]["sha256"] for file in files})


def test_versions_alone_hold_one_lock_to_another() -> None:
    lock = {"packages": [{"name": "a", "version": "1", "marker": "os_name == 'nt'"}, {"name": "b", "version": "2"}]}
    assert converter().versions(lock) == "a==1 ; os_name == 'nt'\nb==2\n"
