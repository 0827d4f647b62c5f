"""F7: vectors that cannot be compared are refused before anything is written, and so are those of another model."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import psycopg
import pytest

from docgraph import Document, plugins
from docgraph.domain.graph import Chunk
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbeddingMismatchError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.testing.builders import HashingEmbedder
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import DOCUMENTS, fill, opened, small, stored

ROW = Row(
    row="F7",
    what="vectors of another width, NaN, ±inf, zero, overflow, another model; of documents, chunks, questions",
    rule="refused before the write, by name; a question of another embedder is refused",
    n=60,
    short=60,
    case="a vector in a place",
)
NAN, INFINITY = float("nan"), float("inf")
WIDTH = 16
VECTORS: dict[str, tuple[float, ...]] = {
    "none at all": (),
    "one": (1.0,),
    "too short": (1.0,) * (WIDTH - 1),
    "too long": (1.0,) * (WIDTH + 1),
    "far too long": (1.0,) * 20_000,
    "NaN first": (NAN, *(1.0,) * (WIDTH - 1)),
    "NaN last": (*(1.0,) * (WIDTH - 1), NAN),
    "all NaN": (NAN,) * WIDTH,
    "inf": (INFINITY, *(1.0,) * (WIDTH - 1)),
    "-inf": (*(1.0,) * (WIDTH - 1), -INFINITY),
    "inf and -inf": (INFINITY, -INFINITY, *(1.0,) * (WIDTH - 2)),
    "zero": (0.0,) * WIDTH,
    "negative zero": (-0.0,) * WIDTH,
    "nearly zero": (1e-30,) * WIDTH,
    "denormal": (5e-324,) * WIDTH,
    "overflow": (1e38,) * WIDTH,
    "overflow of float32": (1e300,) * WIDTH,
}
PLACES = ("document", "chunk", "plan", "execute")


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with small(new_database_url) as made:
        fill(made)
        yield made


def _refused(dg: Docgraph, place: str, vector: tuple[float, ...]) -> None:
    if place in ("plan", "execute"):
        plan = dg.plan("queue a")
        with pytest.raises(EmbeddingMismatchError) as caught:
            dg.plan("queue a", vector) if place == "plan" else dg.execute(plan, vector)
        assert "\n" not in str(caught.value)
        return
    given = Document(document_id="a", title="a", text="Changed.")
    if place == "document":
        given = given.model_copy(update={"vector": vector})
    else:
        chunk = Chunk(chunk_id="c", chunk_index=0, text="t", token_count=1).model_copy(update={"vector": vector})
        given = given.model_copy(update={"chunks": (chunk,)})
    report = dg.ingest_records([given])
    assert (report.n_written, report.n_rejected) == (0, 1)
    assert report.outcomes[0].reason


def test_f7_a_vector_that_cannot_be_compared_is_refused(tally: Tally, dg: Docgraph, new_database_url: str) -> None:
    with psycopg.connect(new_database_url, autocommit=True) as watching:
        before = stored(watching)
        for (name, vector), place in tally.some(itertools.product(VECTORS.items(), PLACES)):
            with tally.trying(f"{name}, {place}"):
                _refused(dg, place, vector)
                assert stored(watching) == before
        for name, other in (("another model", 16), ("another width", 8)):
            with tally.trying(f"{name} of embedder"):
                database = plugins.build("stores", "postgres", database_url=new_database_url)
                with opened(database, dimension=other) as foreign:
                    embedder = foreign.session.adapters.embedder
                    assert isinstance(embedder, HashingEmbedder)
                    embedder.info = EmbedderInfo(name="hashing", model=name, dimension=other)
                    for ask in (lambda: foreign.plan("queue a"), lambda: foreign.ingest_records(DOCUMENTS)):
                        with pytest.raises(EmbeddingMismatchError):
                            ask()
                assert stored(watching) == before
        with tally.trying("a vector of float16 that can be compared is taken"):
            assert dg.plan("queue a", np.ones(WIDTH, dtype=np.float16)).seed_documents  # type: ignore[arg-type]
