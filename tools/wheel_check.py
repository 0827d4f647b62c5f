"""Tries a built wheel as a stranger would: ``wheel_check.py DIST``, the folder with one wheel of docgraph.

Two environments are made in a folder whose name has spaces: the wheel alone, and with the extra ``dashboard``. Then, as
another user than root, with a home that cannot be written and without a network (where this machine can do that; what
it cannot is said), the command line imports and plans, and the dashboard answers on its health address.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

NOBODY = 65_534
PORT = 18_501
QUESTION = "Why is the queue bounded?"
PATIENCE = 120.0


def main(dist: str) -> None:
    """Make the environments, and have everything else done by this file inside of them."""
    (wheel,) = Path(dist).resolve().glob("docgraph-*.whl")
    place = Path(tempfile.mkdtemp(prefix="docgraph wheel ", dir="/tmp"))
    place.chmod(0o755)
    try:
        for name, extra in (("core", ""), ("dashboard", "[dashboard]")):
            _try_out(place / f"{name} only", f"{wheel}{extra}")
    finally:
        for closed in place.glob("*/home"):
            closed.chmod(0o700)
        shutil.rmtree(place)


def _try_out(place: Path, wheel: str) -> None:
    venv, home, work = place / "venv", place / "home", place / "work"
    for folder in (home, work):
        folder.mkdir(parents=True)
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    subprocess.run([str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", wheel], check=True)
    print(f"{place.name}: installed in {time.monotonic() - began:.0f} s, {_size(venv)}", flush=True)
    shutil.copy(__file__, work / "inside.py")
    if os.geteuid() == 0:
        for folder in (home, work):
            os.chown(folder, NOBODY, NOBODY)
    home.chmod(0o555)
    command = [str(venv / "bin" / "python"), str(work / "inside.py"), "--inside", str(work)]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "DOCGRAPH_DATA_DIR": str(work / "data"),
        "LANG": "C.UTF-8",
    }
    subprocess.run([*_stranger(), *command], cwd=work, env=environment, check=True)


def _stranger() -> list[str]:
    """What stands before a command so that it runs as somebody else and without a network."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "ip", "sh"))):
        print("not tried here: another user, no network (needs root, unshare, setpriv and ip)", flush=True)
        return []
    who = f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups"
    if not all(each.stat().st_mode & 0o001 for each in Path(sys.executable).resolve().parents):
        print(
            f"not tried here: another user ({sys.executable} stands in a folder that is closed to others)", flush=True
        )
        who = ""
    return ["unshare", "--net", "sh", "-c", f'PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && exec {who} "$@"', "sh"]


def _size(venv: Path) -> str:
    (packages,) = venv.glob("lib/python*/site-packages")
    left_out = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
    places = [each for each in packages.iterdir() if not each.name.startswith(left_out)]
    n_bytes = sum(each.lstat().st_size for place in places for each in (place, *place.rglob("*")) if not each.is_dir())
    n_packages = sum(each.suffix == ".dist-info" for each in places)
    return f"{n_packages} packages, {n_bytes / 1_000_000:,.0f} MB"


def inside(work: Path) -> None:
    """Everything that is asked of the installed program."""
    program = Path(sys.executable).with_name("docgraph")
    _check_home()
    papers = work / "my papers"
    papers.mkdir()
    (papers / "queue.md").write_text("# Queue\n\nIt is bounded. See [the budget](budget.md).\n", encoding="utf-8")
    (papers / "budget.md").write_text("# Budget\n\nFour hundred bookings a route.\n", encoding="utf-8")
    for arguments in (["--help"], ["ingest", str(papers)], ["plan", QUESTION]):
        began = time.monotonic()
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
        print(f"  docgraph {arguments[0]}: exit code {done.returncode}, {time.monotonic() - began:.1f} s", flush=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
    command = [str(program), "dashboard", "--no-browser", "--port", str(PORT)]
    if not _has("streamlit"):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        assert "pip install 'docgraph[dashboard]'" in done.stderr, done.stderr
        print("  docgraph dashboard: says which extra to add", flush=True)
        return
    with (work / "dashboard.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        print(f"  docgraph dashboard: healthy after {_healthy(server):.1f} s", flush=True)
    finally:
        server.terminate()
        server.wait()


def _has(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None


def _check_home() -> None:
    with suppress(PermissionError):
        (Path.home() / "written").touch()
        if os.geteuid() != 0:
            raise SystemExit("the home can be written")


def _healthy(server: subprocess.Popen[bytes]) -> float:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE and server.poll() is None:
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/docgraph-health", timeout=12) as answer,
        ):
            assert answer.status == 200
            return time.monotonic() - began
        time.sleep(0.2)
    raise SystemExit(Path("dashboard.log").read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(Path(sys.argv[2]))
    else:
        main(sys.argv[1])
