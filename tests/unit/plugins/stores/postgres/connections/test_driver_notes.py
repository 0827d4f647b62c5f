"""What the driver notes for itself is no line of a command."""

from __future__ import annotations

import subprocess
import sys

_NOTED = """
import logging
import docgraph.plugins.stores.postgres.connections
logging.getLogger("psycopg").warning("error ignored in rollback of a lost connection")
"""


def test_what_the_driver_notes_of_a_lost_connection_stands_in_logs_alone() -> None:
    """Killed beneath ``docgraph plan``, the server left a line of the driver's own beside the error in one line."""
    ended = subprocess.run([sys.executable, "-c", _NOTED], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_where_there_is_a_log_it_stands_there() -> None:
    """Only the last resort of ``logging``, which writes to standard error, is not asked."""
    kept = "logging.basicConfig(stream=sys.stdout, format='%(message)s')"
    code = _NOTED.replace("import logging", f"import logging, sys\n{kept}")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stdout == "error ignored in rollback of a lost connection\n"
