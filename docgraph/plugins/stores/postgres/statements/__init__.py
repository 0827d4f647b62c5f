"""The statements, one family a file, as psql takes them: set the variables, paste; ``/*parts*/`` are left empty there.

In a file ``:"schema"`` is the schema of a workspace, ``:'name'`` a value, and ``:name`` one of ``CONSTANTS``. The store
binds every value (``%(name)s``), so what is sent holds none. In psql::

    \\set schema ws_default
    \\set limit 5
    \\set rrf_k 10
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from docgraph.domain.decisions import REVIEW
from docgraph.domain.passages.fitting import CHUNK_TOKENS, CONTEXT_WEIGHT, LENGTH, SATURATION, WORDS
from docgraph.domain.ranking import EDGE, MAX_QUESTION, SEED_RRF_K
from docgraph.domain.revision import BITS, MODULUS
from docgraph.plugins.stores._rows.writing import MANUAL

CONSTANTS = {
    "rrf_k": str(SEED_RRF_K),
    "max_question": str(MAX_QUESTION),
    "edge": str(EDGE),
    "context_weight": str(CONTEXT_WEIGHT),
    "saturation": str(SATURATION),
    "length": str(LENGTH),
    "chunk_tokens": str(CHUNK_TOKENS),
    "words_weight": str(WORDS),
    "manual": f"'{MANUAL}'",
    "review": f"'{REVIEW}'",
    "modulus": str(MODULUS),
    "sum_modulus": str(1 << BITS),
}
"""What is written into a statement when it is read: never a value that somebody gives."""
SCHEMA = ':"schema"'

_TITLE = re.compile(r"^-- (?:name|part): (\w+)\n", flags=re.MULTILINE)
_REMARK = re.compile(r"^--.*\n", flags=re.MULTILINE)
_VARIABLE = re.compile(r"(?<!:):('?)(\w+)\1")
_PART = re.compile(r"/\*(\w+)\*/")


@cache
def family(name: str) -> Mapping[str, str]:
    """Name → statement, or part of one, of the file ``<name>.sql``, with every value bound by its name."""
    _, *found = _TITLE.split(Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8"))
    return {title: _bound(_REMARK.sub("", text)) for title, text in zip(found[::2], found[1::2], strict=True)}


def with_parts(statement: str, **parts: str) -> str:
    """The statement with each ``/*name*/`` replaced by its part, or by nothing where none is given."""
    return _PART.sub(lambda match: parts.get(match[1], ""), statement)


@lru_cache(maxsize=4_096)
def placed(statement: str, schema: str) -> bytes:
    """The statement as it is sent, in a workspace's schema."""
    return with_parts(statement).replace(SCHEMA, f'"{schema}"').encode()


def _bound(text: str) -> str:
    statement = text.strip().removesuffix(";").replace("%", "%%")
    return _VARIABLE.sub(lambda match: CONSTANTS.get(match[2], f"%({match[2]})s"), statement)
