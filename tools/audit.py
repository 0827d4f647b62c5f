"""Holds a lock file against a copy of the Python packages' advisories, without a network.

    python tools/audit.py LOCK [ADVISORIES] [--accepted FILE]

ADVISORIES is a clone of https://github.com/pypa/advisory-database, or OSV's export for PyPI
(https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip), as the zip or unpacked. Ends with 0 where no version
of the lock is affected, 1 where one is, 2 where there was nothing to hold it against.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from packaging.version import InvalidVersion, Version

ENDINGS = (".json", ".yaml", ".yml")
FOUND, NOTHING_CHECKED = 1, 2
Advisory = Mapping[str, Any]
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableError(Exception):
    """There is no copy of the advisories where one was named, or none that can be read."""


@dataclass(frozen=True)
class Hit:
    """A locked version that an advisory names. ``mended`` = versions that it says are not affected any more."""

    package: str
    version: str
    advisory: str
    names: tuple[str, ...]
    said: str
    mended: tuple[str, ...]

    def __str__(self) -> str:
        also = f" ({', '.join(self.names)})" if self.names else ""
        ahead = f"; mended in {', '.join(self.mended)}" if self.mended else "; no version is named that mends it"
        return f"{self.package} {self.version}: {self.advisory}{also}: {self.said}{ahead}"


def read(place: Path) -> Iterator[Advisory]:
    """Every advisory on packages of PyPI in a folder or a zip, withdrawn ones left out. Raises UnreadableError."""
    for name, text in _texts(place):
        try:
            found = json.loads(text) if name.endswith(".json") else yaml.load(text, Loader=_LOADER)
        except (ValueError, yaml.YAMLError) as error:
            raise UnreadableError(f"{name} in {place} cannot be read: {' '.join(str(error).split())[:200]}") from error
        if not isinstance(found, dict) or not isinstance(found.get("affected"), list) or "id" not in found:
            continue  # other files of a clone, such as those of its tools
        if not found.get("withdrawn"):
            yield found


def _texts(place: Path) -> Iterator[tuple[str, str]]:
    if place.is_dir():
        root = place / "vulns" if (place / "vulns").is_dir() else place
        for path in sorted(each for each in root.rglob("*") if each.suffix in ENDINGS and each.is_file()):
            yield str(path.relative_to(place)), path.read_text(encoding="utf-8")
        return
    try:
        with zipfile.ZipFile(io.BytesIO(place.read_bytes())) as archive:
            for name in sorted(name for name in archive.namelist() if name.endswith(ENDINGS)):
                yield name, archive.read(name).decode("utf-8")
    except FileNotFoundError:
        raise UnreadableError(f"there is nothing at {place}") from None
    except (OSError, zipfile.BadZipFile) as error:
        raise UnreadableError(f"{place} is neither a folder nor a zip: {error}") from None


def hits(locked: Iterable[tuple[str, str]], advisories: Iterable[Advisory]) -> list[Hit]:
    """What is affected, by package and advisory."""
    versions: dict[str, set[str]] = {}
    for name, version in locked:
        versions.setdefault(canonical(name), set()).add(version)
    found = set()
    for advisory in advisories:
        for affected in advisory["affected"]:
            package = affected.get("package") or {}
            name = canonical(str(package.get("name", "")))
            if package.get("ecosystem") != "PyPI" or name not in versions:
                continue
            found |= {_hit(name, each, advisory, affected) for each in versions[name] if is_affected(each, affected)}
    return sorted(found, key=lambda hit: (hit.package, hit.version, hit.advisory))


def canonical(name: str) -> str:
    """A package's name as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """OSV's own rule: it is listed, or lies in a range. What cannot be compared counts as affected."""
    if version in map(str, affected.get("versions") or ()):
        return True
    ranges = [each for each in affected.get("ranges") or () if each.get("type") == "ECOSYSTEM"]
    try:
        return any(_lies_in(Version(version), each.get("events") or ()) for each in ranges)
    except InvalidVersion:
        return True


def _lies_in(version: Version, events: Iterable[Mapping[str, Any]]) -> bool:
    """Events in the order of their versions switch it on and off; behind ``last_affected`` it is off."""
    steps = [(_at(str(at)), kind) for event in events for kind, at in event.items()]
    inside = False
    for at, kind in sorted(steps, key=lambda step: (step[0], step[1] != "introduced")):
        if kind == "introduced" and version >= at:
            inside = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            inside = False
    return inside


def _at(text: str) -> Version:
    return Version("0.dev0") if text == "0" else Version(text)


def _hit(name: str, version: str, advisory: Advisory, affected: Mapping[str, Any]) -> Hit:
    events = [
        event for each in affected.get("ranges") or () if each.get("type") == "ECOSYSTEM" for event in each["events"]
    ]
    said = " ".join(str(advisory.get("summary") or advisory.get("details") or "no summary").split())
    return Hit(
        package=name,
        version=version,
        advisory=str(advisory["id"]),
        names=tuple(map(str, advisory.get("aliases") or ())),
        said=said if len(said) <= 160 else said[:159] + "…",
        mended=tuple(str(event["fixed"]) for event in events if "fixed" in event),
    )


def main(given: list[str]) -> int:
    """Say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lock", type=Path, help="pylock.toml")
    parser.add_argument("advisories", type=Path, nargs="?", help="a folder or a zip")
    parser.add_argument("--accepted", type=Path, help="TOML: advisory = why it does not apply here")
    options = parser.parse_args(given)
    if options.advisories is None or not str(options.advisories).strip("."):
        print(f"{options.lock} was not checked: no copy of the advisories is at hand. ADVISORIES=PATH names one:")
        print("a clone of https://github.com/pypa/advisory-database, or OSV's all.zip for PyPI.")
        return NOTHING_CHECKED
    packages = tomllib.loads(options.lock.read_text(encoding="utf-8"))["packages"]
    try:
        advisories = list(read(options.advisories))
    except UnreadableError as problem:
        print(f"{options.lock} was not checked: {problem}", file=sys.stderr)
        return NOTHING_CHECKED
    if not advisories:
        print(f"{options.lock} was not checked: {options.advisories} holds no advisory", file=sys.stderr)
        return NOTHING_CHECKED
    accepted = tomllib.loads(options.accepted.read_text(encoding="utf-8")) if options.accepted else {}
    found = hits([(each["name"], each["version"]) for each in packages], advisories)
    refused = [hit for hit in found if not {hit.advisory, *hit.names} & set(accepted)]
    for hit in found:
        print(
            hit if hit in refused else f"accepted: {hit.package} {hit.version}: {hit.advisory}: {_why(hit, accepted)}"
        )
    newest = max(str(each.get("modified") or each.get("published") or "")[:10] for each in advisories)
    print(
        f"{options.lock}: {len(packages)} packages against {len(advisories):,} advisories, the newest of {newest}: "
        f"{len(refused) or 'none'} affected"
        + (f", {len(found) - len(refused)} accepted" if len(found) > len(refused) else "")
    )
    return FOUND if refused else 0


def _why(hit: Hit, accepted: Mapping[str, str]) -> str:
    return next(accepted[name] for name in (hit.advisory, *hit.names) if name in accepted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
