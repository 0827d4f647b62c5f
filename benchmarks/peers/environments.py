"""An environment for each peer, made by pip from its pinned list; nothing of it is a dependency of docgraph."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

PEERS = ("langchain", "llamaindex")
REQUIREMENTS = Path(__file__).parent / "requirements"


class NotInstalledError(Exception):
    """A peer that pip could not install, with pip's own last line."""


def python_of(peer: str, folder: Path) -> Path:
    """The Python of a peer's environment in ``folder``, which is made where it is missing or its list is another one.

    Raises NotInstalledError.
    """
    home, wanted = folder / peer, (REQUIREMENTS / f"{peer}.txt").read_text(encoding="utf-8")
    python, done = home / "bin" / "python", home / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted and python.exists():
        return python
    print(f"installing {peer} into {home}", file=sys.stderr, flush=True)
    venv.create(home, clear=True, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    made = subprocess.run([*pip, "-r", str(REQUIREMENTS / f"{peer}.txt")], capture_output=True, text=True, check=False)
    if made.returncode:
        said = [line for line in made.stderr.splitlines() if line.startswith("ERROR")] or made.stderr.splitlines()
        raise NotInstalledError((said or ["pip said nothing"])[0][:300])
    done.write_text(wanted, encoding="utf-8")
    return python
