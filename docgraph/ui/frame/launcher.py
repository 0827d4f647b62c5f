"""Starts the dashboard: finds its files, takes the wanted port or the next free one, and says where it listens."""

from __future__ import annotations

import runpy
import socket
import sys
from pathlib import Path
from socket import AF_INET, AF_INET6

import psutil

from docgraph.errors import EnvironmentProblem
from docgraph.installed import dashboard_folder

PORTS_TRIED = 50
LOOPBACK = ("127.0.0.1", "localhost", "::1")


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


def launch(host: str, port: int, *, max_upload_mb: int = 20, open_browser: bool = False) -> None:
    """Serve the dashboard until it is stopped (Ctrl+C); prints where it listens.

    Takes the next free port when ``port`` is busy, and says so. Raises EnvironmentProblem.
    """
    root = dashboard_folder()
    taken = free_port(host, port)
    if taken != port:
        print(f"Port {port} is taken, so docgraph uses {taken}.", file=sys.stderr, flush=True)
    print(f"docgraph is on {url_of(host, taken)}   (Ctrl+C stops it)", flush=True)
    _serve(root, server_config(host, taken, max_upload_mb=max_upload_mb, open_browser=open_browser))


def url_of(host: str, port: int) -> str:
    """The address to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def server_config(host: str, port: int, *, max_upload_mb: int, open_browser: bool) -> dict[str, object]:
    """What Streamlit is told; a host other than loopback adds this machine's names to those that may be asked for."""
    config: dict[str, object] = {
        "server.address": host,
        "server.port": port,
        "server.headless": not open_browser,
        "server.maxUploadSize": max_upload_mb,
    }
    if host not in LOOPBACK:
        config["server.allowedHosts"] = _allowed_hosts(host)
    return config


def _allowed_hosts(host: str) -> list[str]:
    """Names under which other machines may open a dashboard that listens to them."""
    found = [address for interface in psutil.net_if_addrs().values() for address in interface]
    numbers = {address.address.split("%")[0] for address in found if address.family in (AF_INET, AF_INET6)}
    names = ["localhost", "127.0.0.1", host, socket.gethostname(), *sorted(numbers)]
    return [*dict.fromkeys(name for name in names if name not in ("0.0.0.0", "::"))]


def _serve(root: Path, config: dict[str, object]) -> None:
    """Run app.py of ``root`` in this process; Streamlit finds the configuration beside the program's first word."""
    sys.argv = [str(root / "app.py")]
    runpy.run_path(str(root / "app.py"), run_name="docgraph_app")["app"].run(config=config)
