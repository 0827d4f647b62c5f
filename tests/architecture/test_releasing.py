"""What a release is made by: its bill of materials names what the lock names, and each tool is held by a hash."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT

TOOLS = ROOT / ".venv-release" / "bin"
LOCK = tomllib.loads((ROOT / "pylock.toml").read_text(encoding="utf-8"))["packages"]
STRICT = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1], encoding="utf-8").read())
print(problem or "valid")
"""


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bill of materials, written twice; no network where the tools are there already."""
    listed, there = ROOT / "tools" / "release-tools.txt", TOOLS.parent / "release-tools.txt"
    if not there.is_file() or there.read_bytes() != listed.read_bytes():
        pytest.skip("the tools of a release are not here: make sbom puts them into .venv-release")
    folder = tmp_path_factory.mktemp("bill")
    for name in ("a", "b"):
        subprocess.run(["sh", "tools/sbom", str(TOOLS.parent), str(folder / name)], cwd=ROOT, check=True)
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()
    return folder / "a"


def test_the_bill_of_materials_is_valid_by_its_schema(bill: Path) -> None:
    command = [str(TOOLS / "python"), "-c", STRICT, str(bill)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "valid"


def test_the_bill_of_materials_names_what_the_lock_names_with_every_hash(bill: Path) -> None:
    written = json.loads(bill.read_text(encoding="utf-8"))
    assert (written["bomFormat"], written["metadata"]["component"]["name"]) == ("CycloneDX", "docgraph")
    named = {each["purl"]: _hashes(each) for each in written["components"]}
    assert named == {
        f"pkg:pypi/{each['name']}@{each['version']}": {
            file["hashes"]["sha256"]
            for file in (*each.get("wheels", ()), *([each["sdist"]] if "sdist" in each else ()))
        }
        for each in LOCK
    }


def _hashes(component: dict[str, Any]) -> set[str]:
    return {each["content"] for reference in component["externalReferences"] for each in reference["hashes"]}


def test_the_tools_of_a_release_are_named_by_version_and_hash() -> None:
    wanted = {
        line
        for line in (ROOT / "tools" / "release-tools.in").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    }
    text = (ROOT / "tools" / "release-tools.txt").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^([a-z0-9-]+)==\S+(?: ; .*)? \\\n    --hash=sha256:[0-9a-f]{64}", text)
    assert wanted <= set(listed)
    assert len(listed) == len(re.findall(r"(?m)^[a-z0-9-]+(?:\[[a-z,-]+\])?==", text))


def test_a_release_is_not_built_from_what_was_never_committed(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "release", tree / "tools" / "release")
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    done = subprocess.run(
        ["sh", "tools/release", "venv", "dist"], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "the tree is not as it was committed" in done.stderr


ROOTLESS, ROOTFUL = "[name=seccomp,profile=builtin name=rootless]", "[name=seccomp,profile=builtin]"


@pytest.mark.parametrize(
    ("engines", "security", "called"),
    [
        (("podman", "buildah", "docker"), ROOTLESS, "podman build --format docker --tag docgraph:1 ."),
        (("buildah", "docker"), ROOTLESS, "buildah build --isolation rootless --format docker --tag docgraph:1 ."),
        (("docker",), ROOTLESS, "docker build --tag docgraph:1 ."),
        (("docker",), ROOTFUL, None),
        ((), "", None),
    ],
)
def test_the_image_is_built_by_an_engine_without_root_or_not_at_all(
    engines: tuple[str, ...], security: str, called: str | None, tmp_path: Path
) -> None:
    done = _image(tmp_path, engines, security=security, uid=1000)
    calls = tmp_path / "calls"
    if called is None:
        assert done.returncode == 3
        assert "no engine that builds without root was found" in done.stderr
        assert not calls.exists()
    else:
        assert done.returncode == 0
        assert calls.read_text(encoding="utf-8") == f"{called}\n"


def test_root_builds_no_image(tmp_path: Path) -> None:
    done = _image(tmp_path, ("podman",), security="", uid=0)
    assert (done.returncode, (tmp_path / "calls").exists()) == (3, False)


def _image(folder: Path, engines: tuple[str, ...], *, security: str, uid: int) -> subprocess.CompletedProcess[str]:
    """``tools/image`` where these engines only note their calls, and somebody with this number asks."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("sh", "grep"):
        (programs / name).symlink_to(shutil.which(name) or "")
    notes = '#!/bin/sh\ncase "$1" in info) echo "{}" ;; *) echo "{} $*" >>"{}/calls" ;; esac\n'
    for name in engines:
        (programs / name).write_text(notes.format(security, name, folder), encoding="utf-8")
    (programs / "id").write_text(f"#!/bin/sh\necho {uid}\n", encoding="utf-8")
    for each in programs.iterdir():
        if not each.is_symlink():
            each.chmod(0o755)
    command = ["sh", "tools/image", "docgraph:1"]
    environment = {**os.environ, "PATH": str(programs)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
