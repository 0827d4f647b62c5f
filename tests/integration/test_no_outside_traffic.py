"""Nothing calls out of the machine: the whole trip runs with every other host out of reach, and never asks for one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

from tests import ROOT

_TRIP = """
import ipaddress, json, sys
attempts, local = [], 0
def watch(event, arguments):
    global local
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        if isinstance(address, (str, bytes)):
            local += 1
            return
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    elif event in ("urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect"):
        host = str(arguments[0] if event == "urllib.Request" else arguments[1])
    else:
        return
    if host not in ("localhost", None, ""):
        try:
            if ipaddress.ip_address(host).is_loopback:
                return
        except ValueError:
            pass
        attempts.append([event, str(host)])
        raise PermissionError(f"{event} to {host}")
sys.addaudithook(watch)

def refused(call):
    try:
        call()
    except PermissionError:
        return True
    return False

import socket
caught = [
    refused(lambda: socket.create_connection(("192.0.2.1", 80), timeout=1)),
    refused(lambda: socket.getaddrinfo("example.org", 80)),
    refused(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))),
]
proof, attempts[:] = len(attempts), []

sys.path.insert(0, sys.argv[1])
import docgraph
from docgraph.cli import edge
with docgraph.connect(sys.argv[2], workspace="harbor") as dg:
    report = dg.ingest(sys.argv[1] + "/sample_data/harbor")
    request = docgraph.RetrievalRequest(query="Why was the booking queue bounded?", seed_signal="hybrid")
    run = dg.run(request)
    dg.execute(dg.plan(request))
    why = dg.explain(request, run.plan.document_ids[-1])
    listed = len(list(dg.documents.list())), len(list(dg.relationships.list()))
import os
os.environ["DOCGRAPH_DATABASE_URL"] = sys.argv[2]
codes = [edge.run(["doctor", "-w", "harbor", "--json"])]
print(json.dumps({
    "caught": caught, "proof": proof, "attempts": attempts, "stored": report.n_stored, "listed": listed,
    "contract": all(check.passed for check in run.contract), "reasons": len(why.reasons), "codes": codes,
}), file=sys.stderr)
"""


def without_network() -> list[str]:
    """A prefix that runs a program where there is no network at all, which stops C libraries too; else nothing.

    The database's Unix socket is a file, so it is reached from there.
    """
    prefix = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--net", "--map-current-user"]
    if not shutil.which("unshare") or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        return []
    return prefix


def test_the_whole_trip_makes_no_attempt_to_reach_another_host(new_database_url: str) -> None:
    command = [*without_network(), sys.executable, "-c", _TRIP, str(ROOT), new_database_url]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stderr.splitlines()[-1])
    assert (told["caught"], told["proof"]) == ([True, True, True], 3)  # the guard itself works
    assert told["attempts"] == []
    assert told["stored"] == told["listed"][0] > 40
    assert told["listed"][1] > 200
    assert told["reasons"] >= 1
    assert told["contract"] is True
    assert told["codes"] == [0]
