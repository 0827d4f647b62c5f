"""The sample corpus in a new data folder, with what people would have kept, and a dashboard over it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WORKSPACE, SET = "harbor", "Sample questions"
QUESTION = "Why is the queue limited to 400 bookings per route?"
ANSWERED_BY = ("design-booking-queue-back-pressure", "adr-011")
"""Documents whose best passage somebody marked as the answer to the question."""

PERSON = "Mira Holt"
START_SECONDS, STOP_SECONDS = 240, 60


@contextmanager
def served_sample() -> Iterator[str]:
    """Address of a dashboard over nothing but the sample corpus and what ``_keep`` keeps; all of it goes afterwards."""
    place = Path(tempfile.mkdtemp(prefix="docgraph-pictures-")).resolve()
    place.chmod(0o755)  # as root, the embedded PostgreSQL runs as somebody else
    data, log = place / "data", place / "server.log"
    try:
        with _dashboard(data, log) as url:
            _keep(data)
            yield url
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _keep(data: Path) -> None:
    """Saved questions, marked answers, an evaluated set and a trial of types, as somebody has who works with it.

    The order in which they are kept decides ids and dates, so nothing is made twice or side by side.
    """
    import docgraph
    from docgraph.domain.query_set import JudgedQuery
    from docgraph.domain.request import RetrievalRequest

    records = [json.loads(line) for line in (ROOT / "sample_data" / "queries.jsonl").read_text("utf-8").splitlines()]
    queries = [
        JudgedQuery(
            query_id=each["id"],
            query=each["query"],
            kind=each["effect"].replace("_", " ").capitalize(),
            grades=dict.fromkeys(each["relevant"], 2),
            evidence=each.get("evidence"),
        )
        for each in records
    ]
    with docgraph.connect(data_dir=data, workspace=WORKSPACE) as opened:
        for each in records:
            opened.runs.save(RetrievalRequest(query=each["query"]), name=each["query"], by=PERSON)
        for document in opened.run(RetrievalRequest(query=QUESTION)).context.documents:
            if document.document.document_id in ANSWERED_BY:
                opened.judgments.judge_passage(QUESTION, document.chunks[0].chunk_id, 2, by=PERSON)
        if SET not in {each.name for each in opened.query_sets.list()}:
            opened.query_sets.keep(queries, name=SET)
        opened.query_sets.run(SET)
        opened.relationships.try_types()


@contextmanager
def _dashboard(data: Path, log: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "docgraph", "dashboard", "--load-sample", "--headless", "--port", str(port)]
    own = {name: value for name, value in os.environ.items() if not name.startswith("DOCGRAPH_")}
    environment = {**own, "DOCGRAPH_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)}
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=log.parent, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield _address_of(server, log)
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _address_of(server: subprocess.Popen[Any], log: Path) -> str:
    """Wait until the server answers; it prints its address, which is another one when the port was taken meanwhile."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"docgraph is on (http://\S+)", log.read_text("utf-8", errors="replace"))
        if found and _answers(found[1]):
            return found[1]
        time.sleep(0.1)
    raise SystemExit("the dashboard did not start:\n" + log.read_text("utf-8", errors="replace"))


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
