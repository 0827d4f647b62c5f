"""Starts the dashboard: finds its files, takes the wanted port or the next free one, says where it is once it works."""

from __future__ import annotations

import os
import runpy
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, AF_INET6

from docgraph.boundary.hosts import EVERY_ADDRESS, own_hosts
from docgraph.boundary.installed import dashboard_folder
from docgraph.boundary.text import one_line
from docgraph.errors import DocgraphError, EnvironmentProblem

PORTS_TRIED = 50
PROTOCOL = "docgraph.boundary.timeouts:BrowsersProtocol"
MAX_FILES = 65_536
_listening: list[str] = []
"""The address that is still to be printed, if there is one."""


def free_port(host: str, port: int) -> int:
    """``port``, or the next one above it that nobody listens on. Raises EnvironmentProblem when 50 are taken."""
    last = min(port + PORTS_TRIED, 65_536)
    for candidate in range(port, last):
        if _is_free(host, candidate):
            return candidate
    raise EnvironmentProblem(
        f"ports {port} to {last - 1} on {host} are all taken or not allowed",
        hint="choose another one: docgraph dashboard --port N, or DOCGRAPH_PORT",
    )


def _is_free(host: str, port: int) -> bool:
    family = AF_INET6 if ":" in host else AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            # A port in TIME_WAIT is usable for the server, so it must count as free here too.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def launch(
    host: str, port: int, *, allowed_hosts: Sequence[str] = (), max_upload_mb: int = 200, open_browser: bool = False
) -> None:
    """Serve the dashboard until it is stopped (Ctrl+C); ``announce`` prints where, once there is something to see.

    Takes the next free port when ``port`` is busy, and says so. Raises EnvironmentProblem.
    """
    root = dashboard_folder()
    taken = free_port(host, port)
    if taken != port:
        print(f"Port {port} is taken, so docgraph uses {taken}.", file=sys.stderr, flush=True)
    _listening[:] = [url_of(host, taken)]
    if line := who_may_ask(host, allowed_hosts):
        print(line, file=sys.stderr, flush=True)
    config = server_config(
        host, taken, allowed_hosts=allowed_hosts, max_upload_mb=max_upload_mb, open_browser=open_browser
    )
    _serve(root, config)


def announce(problem: DocgraphError | None = None) -> None:
    """Print the address that ``launch`` took, once; with ``problem``, that the database behind it cannot be opened."""
    for url in _listening:
        if problem is None:
            print(f"docgraph is on {url}   (Ctrl+C stops it)", flush=True)
            continue
        print(f"error: {one_line(problem.message)}", file=sys.stderr)
        if problem.hint:
            print(f"hint:  {one_line(problem.hint)}", file=sys.stderr)
        print(f"{url} says the same, and tries again when asked to.   (Ctrl+C stops it)", file=sys.stderr, flush=True)
    _listening.clear()


def who_may_ask(host: str, allowed_hosts: Sequence[str]) -> str:
    """What to do so that others are answered, for an address that they reach while no name of theirs is allowed."""
    if host not in EVERY_ADDRESS or allowed_hosts:
        return ""
    return (
        f"docgraph listens on {host}, but answers only to localhost, 127.0.0.1 and [::1]: "
        "list the names that others ask for in DOCGRAPH_ALLOWED_HOSTS."
    )


def url_of(host: str, port: int) -> str:
    """The address to type into a browser on this machine."""
    return f"http://{_shown(host)}:{port}"


def _shown(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)


def server_config(
    host: str, port: int, *, allowed_hosts: Sequence[str] = (), max_upload_mb: int, open_browser: bool
) -> dict[str, object]:
    """What Streamlit is told; it knows host names without ports, and ours were checked with them before it is asked."""
    return {
        "server.address": host,
        "server.port": port,
        "server.headless": not open_browser,
        "server.maxUploadSize": max_upload_mb,
        "server.allowedHosts": list(dict.fromkeys(each.name.strip("[]") for each in own_hosts(host, allowed_hosts))),
        # Without it Streamlit asks another machine for this one's external address, to print it.
        "browser.serverAddress": _shown(host),
    }


def _serve(root: Path, config: dict[str, object]) -> None:
    """Run app.py of ``root`` in this process; Streamlit finds the configuration beside the program's first word."""
    sys.argv = [str(root / "app.py")]
    # The server would believe forwarding headers of every process on this machine; whom docgraph believes is a setting.
    os.environ["FORWARDED_ALLOW_IPS"] = ""
    be_patient()
    allow_files()
    runpy.run_path(str(root / "app.py"), run_name="docgraph_app")["app"].run(config=config)


def be_patient() -> None:
    """From now on the server that the framework starts hangs up on who says nothing: it has no setting for that."""
    from uvicorn.config import HTTP_PROTOCOLS

    HTTP_PROTOCOLS["auto"] = PROTOCOL


def allow_files() -> None:
    """Let this process open as many files as it may, up to 65,536.

    A session takes four, for two minutes after it has left too; many systems allow 1,024 to who does not ask for more.
    """
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
