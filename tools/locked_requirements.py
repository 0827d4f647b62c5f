"""Writes a lock file (PEP 751) as pip's requirements with hashes: any pip reads those, from the index it is set to."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any


def requirements(lock: dict[str, Any]) -> str:
    """One requirement a package: its version, where it applies, and the hashes of all its files."""
    return "".join(f"{_requirement(package)}\n" for package in lock["packages"])


def _requirement(package: dict[str, Any]) -> str:
    files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
    hashes = sorted({f"--hash=sha256:{file['hashes']['sha256']}" for file in files})
    return " \\\n    ".join([f"{package['name']}=={package['version']}{_where(package)}", *hashes])


def _where(package: dict[str, Any]) -> str:
    return f" ; {package['marker']}" if "marker" in package else ""


def versions(lock: dict[str, Any]) -> str:
    """The versions alone, to hold another lock to them."""
    return "".join(f"{package['name']}=={package['version']}{_where(package)}\n" for package in lock["packages"])


if __name__ == "__main__":
    written = versions if "--versions" in sys.argv[2:] else requirements
    sys.stdout.write(written(tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
