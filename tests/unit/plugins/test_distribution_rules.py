"""Every statement and migration keeps the rules under which its tables can lie on several servers; no server needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import MetaData, PrimaryKeyConstraint, Table, Text, UniqueConstraint

from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch
from docgraph.plugins.stores import postgres
from docgraph.plugins.stores.postgres.queries import ranking, ranking_with_hop
from docgraph.plugins.stores.postgres.server.citus import COLUMNS
from tests.database_tables import workspace_tables

FOLDER = Path(postgres.__file__).parent
ONE_SERVER = ("vector_cache",)
"""Files whose statements are asked of tables on one server alone (``vector_cache.codes``: plain ones)."""
TITLE = re.compile(r"^-- (name|part): (\w+)\n", flags=re.MULTILINE)
NAMED = re.compile(r':"schema"\.(\w+)(?:\s+(?:AS\s+)?([a-z]\w*))?|(docgraph)\.\w+|unnest\([^()]*\)\s+AS\s+(\w+)')
EQUAL = re.compile(r"(?:\w+\.)?(\w+) = (?:\w+\.)?(\w+)")
NO_ALIAS = {"where", "using", "on", "join", "cross", "left", "group", "order", "set", "limit", "offset", "values"}
BANNED = re.compile(r"\b(TRIGGER|SEQUENCE|SERIAL|BIGSERIAL|IDENTITY|nextval)\b", flags=re.IGNORECASE)
NO_COLUMN = re.compile(r"\(\s*SELECT\s+FROM\b")
KEYS = frozenset(COLUMNS.values())


def scopes(statement: str) -> list[str]:
    """Each SELECT of a statement, without those inside it."""
    open_texts, is_select, found = [""], [True], []
    for part in re.split(r"([()])", statement):
        if part == "(":
            open_texts.append("")
            is_select.append(False)
        elif part == ")":
            inner = open_texts.pop()
            if is_select.pop():
                found.append(inner)
                inner = ""
            open_texts[-1] += f"({inner})"
        else:
            if not open_texts[-1] and re.match(r"\s*(SELECT|WITH|INSERT|DELETE|UPDATE)\b", part):
                is_select[-1] = True
            open_texts[-1] += part
    return [arm for scope in (*found, *open_texts) for arm in re.split(r"\bUNION(?: ALL)?\b", scope)]


def aliases(scope: str) -> tuple[dict[str, str], bool, set[str]]:
    """Name → table of the workspace, whether the workbench is named too, and names of lists."""
    tables: dict[str, str] = {}
    lists, is_workbench = set(), False
    for table, alias, workbench, listed in NAMED.findall(scope):
        if table:
            tables[alias if alias and alias.lower() not in NO_ALIAS else f"{table}#{len(tables)}"] = table
        is_workbench |= bool(workbench)
        lists |= {listed} if listed else set()
    return tables, is_workbench, lists


def faults(statement: str) -> Iterator[str]:
    """What keeps a statement from being answered by several servers."""
    text = re.sub(r"--.*", "", statement)
    if NO_COLUMN.search(text):
        yield "an inner query without a column"
    yield from lateral_faults(text)
    if re.match(r"\s*SET (?!LOCAL|TRANSACTION)", text) or re.search(r"set_config\([^()]*, *false\)", text):
        yield "a setting that outlives its transaction"
    for table, said in re.findall(r'UPDATE :"schema"\.(\w+)(?: \w+)?\s+SET(.*?)(?:WHERE|$)', text, flags=re.DOTALL):
        if re.search(rf"(?<![\w.]){COLUMNS[table]}\s*=", said):
            yield f"{table}.{COLUMNS[table]} is changed"
    found = scopes(text)
    outer_lists = {name for scope in found for name in aliases(scope)[2]}
    for scope in found:
        tables, is_workbench, lists = aliases(scope)
        if not tables:
            continue
        if is_workbench:
            yield "a table of the workspace is joined with one of the workbench"
        equal = {frozenset(pair) for pair in EQUAL.findall(scope)}
        used = " ".join(re.findall(r"USING \(([^)]*)\)", scope))
        if len(tables) > 1 and not (any(pair <= KEYS for pair in equal) or "document_id" in used):
            yield f"{sorted(tables.values())} are joined, and not by where their rows lie"
        for name, column in re.findall(r"\b([a-z]\w*)\.(\w+)", scope):
            around = [each for each in found if each is not scope and name in aliases(each)[0]]
            inside = name in tables or re.search(rf"(?:JOIN|FROM|USING|AS|\)|,)\s+(?:\w+\s+)?{name}\b", scope)
            if around and not inside and column not in KEYS:
                yield f"the table of an inner query is looked up by {name}.{column}"
        for name in outer_lists - lists:
            if re.search(rf"= {name}\b(?!\.)", scope):
                yield f"the table of an inner query is looked up by {name}, an element of a list"
        for name in re.findall(r"= (\w+)\.\w+ *(?:\n| ORDER|$)", scope):
            listed = re.search(rf"unnest\([^()]*\) AS {name} \(", text)
            if listed and "()" not in scope and f"AS {name}" not in scope:
                yield f"the table of an inner query is looked up by {name}, an element of a list"


def lateral_faults(text: str) -> Iterator[str]:
    """What an inner query that is asked for each row of another may not do where its rows lie on several servers."""
    for start in (found.end() for found in re.finditer(r"LATERAL\s*(?=\()", text)):
        inner = _in_brackets(text, start)
        if ':"schema"' not in inner:
            continue
        if re.search(r"\bOFFSET\b", inner):
            yield "OFFSET in a LATERAL query"
        if re.match(r"\s*SELECT\s+(count|sum|min|max)\(", inner) and "GROUP BY" not in inner:
            yield "a LATERAL query that puts rows of several servers together"


def _in_brackets(text: str, start: int) -> str:
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return text[start + 1 : place]
    return text[start + 1 :]


def key_faults(metadata: MetaData) -> Iterator[str]:
    """Keys without the column that decides where a row lies, and foreign keys that leave it."""
    for table in metadata.tables.values():
        column = COLUMNS[table.name]
        unique = [c for c in table.constraints if isinstance(c, PrimaryKeyConstraint | UniqueConstraint)]
        keys = [set(c.columns.keys()) for c in unique] + [set(i.columns.keys()) for i in table.indexes if i.unique]
        yield from (f"{table.name}: key {sorted(key)} lacks {column}" for key in keys if column not in key)
        yield from _foreign_faults(table, column)


def _foreign_faults(table: Table, column: str) -> Iterator[str]:
    for key in table.foreign_keys:
        there = key.column
        if key.parent.name != column or there.name != COLUMNS[there.table.name]:
            yield f"{table.name}: the foreign key on {key.parent.name} leaves its server"
        here_type, there_type = key.parent.type, there.type
        if str(here_type) != str(there_type) or getattr(here_type, "collation", "") != getattr(
            there_type, "collation", ""
        ):
            yield f"{table.name}: {key.parent.name} is {here_type!r}, {there} is {there_type!r}"


def statements() -> Iterator[tuple[str, str]]:
    """Each statement with none of its parts, and with each of the parts of its file."""
    for path in sorted(each for each in (FOLDER / "statements").glob("*.sql") if each.stem not in ONE_SERVER):
        _, *found = TITLE.split(path.read_text(encoding="utf-8"))
        pieces = list(zip(found[::3], found[1::3], found[2::3], strict=True))
        parts = [(name, text) for kind, name, text in pieces if kind == "part"]
        for _, name, text in (piece for piece in pieces if piece[0] == "name"):
            yield f"{path.stem}.{name}", text
            if "/*" in text:
                for part, inside in parts:
                    yield f"{path.stem}.{name}+{part}", re.sub(r"/\*\w+\*/", lambda _, said=inside: f" {said}", text)


def rankings() -> Iterator[tuple[str, str]]:
    """Every statement that ranks documents, as it is put together."""
    signals, searches = get_args(SeedSignal), get_args(VectorSearch)
    for signal, search in product(signals, searches):
        yield f"ranking-{signal}-{search}", ranking(signal, (), search=search)
        yield f"ranking-{signal}-{search}-filtered", ranking(signal, ("doc_type",), search=search)
        yield f"ranking-{signal}-{search}-hop", ranking_with_hop(signal, of_types=True, search=search)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in (*statements(), *rankings())])
def test_a_statement_can_be_answered_by_several_servers(text: str) -> None:
    assert list(faults(text)) == []


def test_every_table_of_a_workspace_has_its_place() -> None:
    metadata = workspace_tables("ws_example", 4)
    assert {table.name for table in metadata.tables.values()} == set(COLUMNS)
    assert list(key_faults(metadata)) == []


@pytest.mark.parametrize("path", sorted((FOLDER / "migrations" / "workspace").rglob("*.py")), ids=lambda p: p.stem)
def test_a_migration_makes_nothing_that_one_server_alone_can_have(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert BANNED.findall(text) == []
    assert NO_COLUMN.findall(text.replace("(SELECT FROM pg_", "")) == []


@pytest.mark.parametrize(
    "planted",
    [
        "SET statement_timeout = 1",
        "SELECT set_config('statement_timeout', '1', false)",
        "UPDATE :\"schema\".vector_chunks SET document_id = :'new' WHERE document_id = :'old'",
        'SELECT 1 FROM :"schema".vector_chunks c JOIN :"schema".document_relationships r '
        "ON r.to_document_id = c.document_id",
        'SELECT 1 FROM docgraph.judgments j JOIN :"schema".document_nodes d USING (document_id)',
        "SELECT f FROM unnest(:'ids'::text[]) AS f WHERE NOT EXISTS (SELECT 1 FROM :\"schema\".document_nodes "
        "WHERE document_id = f)",
        'SELECT 1 FROM :"schema".document_relationships r WHERE NOT EXISTS (SELECT 1 FROM :"schema".document_nodes n '
        "WHERE n.document_id = r.to_document_id)",
        'SELECT 1 WHERE EXISTS (SELECT FROM :"schema".vector_bits)',
        'SELECT 1 FROM word CROSS JOIN LATERAL (SELECT 1 FROM :"schema".vector_postings WHERE lexeme = key OFFSET 0) h',
        'SELECT 1 FROM word CROSS JOIN LATERAL (SELECT count(*) FROM :"schema".vector_postings WHERE lexeme = key) h',
    ],
)
def test_what_one_server_alone_could_answer_is_found(planted: str) -> None:
    assert list(faults(planted))


def test_keys_that_leave_their_server_are_found() -> None:
    metadata = workspace_tables("ws_example", 4)
    chunks = metadata.tables["ws_example.vector_chunks"]
    chunks.append_constraint(UniqueConstraint("chunk_id"))
    edges = metadata.tables["ws_example.document_relationships"]
    edges.columns["from_document_id"].type = Text(collation="en")
    found = list(key_faults(metadata))
    assert any("lacks document_id" in fault for fault in found)
    assert any("from_document_id is" in fault for fault in found)
    assert BANNED.search("CREATE TRIGGER x") is not None
