"""The statements are read, pasted and run by people too: psql takes every one as it stands in its file."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from docgraph.plugins.stores.postgres import statements
from docgraph.plugins.stores.postgres.server.binaries import binaries
from docgraph.plugins.stores.postgres.statements import CONSTANTS
from docgraph.ports import Database
from tests.contract.stores.examples import DIMENSION, EMBEDDER

FOLDER = Path(statements.__file__).parent
ZEROS = str([0] * DIMENSION)
VALUES = {
    "dimension": "8",
    "vector": ZEROS,
    "embedding": ZEROS,
    "summary_embedding": ZEROS,
    "title_embedding": ZEROS,
    "relevant": "{t}",
    "checked": "t",
}
"""What a value is called → one that fits; ``{}`` fits every other array, text and JSON."""
_NUMBERS = """
    limit long most depth kept before turn delta relationships vectors n_tokens n_chunks n_documents n_relationships
    import_id keep n_seeds n_expanded undoes act n n_judged place after grade total chunk_index
"""
NUMBERS = frozenset(_NUMBERS.split())
SWITCHES = ("deleted", "pinned", "replace")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.sql")), ids=lambda path: path.stem)
def test_psql_takes_every_statement_as_it_stands(
    path: Path, postgres_database: Database, embedded_database_url: str, tmp_path: Path
) -> None:
    """Explained, not run; COPY cannot be explained."""
    store = postgres_database.create_workspace("example", EMBEDDER)
    store.begin_embedding(EMBEDDER, at="", by="")
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^-- name: (\w+)\n(?:--.*\n)*((?:(?!^-- ).*\n)+)", text, flags=re.MULTILINE)
    assert len(found) == text.count("-- name: ")
    script = [r"\set ON_ERROR_STOP on", r"\set schema ws_example"]
    for name in sorted(set(re.findall(r"(?<!:):'?(\w+)", text)) - {"schema"}):
        script.append(f"\\set {name} '{_value(path.stem, name)}'")
    script += [f"EXPLAIN {statement}" for _, statement in found if not statement.startswith("COPY")]
    (tmp_path / "script.sql").write_text("\n".join(script), encoding="utf-8")
    done = subprocess.run(
        [binaries() / "psql", "-X", "-q", "-d", embedded_database_url, "-f", tmp_path / "script.sql"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def _value(family: str, name: str) -> str:
    if name in CONSTANTS:
        return CONSTANTS[name].strip("'")
    if name in SWITCHES:
        return "t"
    is_number = name in NUMBERS or (family, name) == ("history", "entry_id")
    return VALUES.get(name, "1" if is_number else "{}")
