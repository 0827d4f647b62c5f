"""The hook that browser tests hear outgoing calls by is heard itself: it writes what leaves, and nothing that stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

NUMERIC = "socket.AI_NUMERICHOST"
"""A name asked for like this is refused before anybody is asked for it."""

STEPS = {
    f"socket.getaddrinfo('name.invalid', 80, flags={NUMERIC})": "socket.getaddrinfo name.invalid",
    "udp.connect(('192.0.2.1', 9))": "socket.connect 192.0.2.1",  # an address for documentation; nothing is sent
    "socket.getnameinfo(('192.0.2.1', 9), socket.NI_NUMERICHOST)": "socket.getnameinfo 192.0.2.1",
    "subprocess.run(['true'], check=True)": "subprocess.Popen true",
    "os.system('true')": "os.system true",
    "subprocess.run([sys.executable, '-c', ''], check=True)": "",
    f"socket.getaddrinfo('localhost', 80, flags={NUMERIC})": "",
    "udp.connect(('127.0.0.1', 9))": "",
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_outside_is_written_down_and_one_inside_is_not(step: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    program = f"""
import contextlib, os, socket, subprocess, sys
with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as udp:
    {step}
"""
    watch = str(ROOT / "tests" / "e2e" / "outside")
    environment = {**os.environ, "DOCGRAPH_TEST_OUTSIDE": str(outside), "PYTHONPATH": watch}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert (outside.read_text(encoding="utf-8").strip() if outside.exists() else "") == STEPS[step]
