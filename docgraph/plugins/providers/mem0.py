"""Memories that mem0 keeps in the same PostgreSQL, searched without a language model; optional (``docgraph[mem0]``).

For applications that remember through mem0 already. Nothing calls out: telemetry is off, the questions' vectors come
from docgraph's embedder, and texts are added as they are (``infer=False``).
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
from docgraph.errors import SettingsError
from docgraph.ports import Embedder
from docgraph.ports.retrieval import Access

NOWHERE = "http://127.0.0.1:9/v1"
"""Where the language model would be, which is never asked: the port ``discard``."""
MAX_CONNECTIONS = 2
CONNECT_SECONDS = 5.0
SPACY_MODEL = "en_core_web_sm"


@dataclass(frozen=True)
class Mem0Provider:
    """The memories of a workspace (mem0's ``user_id`` is its name), in mem0's order: similarity and words, fused.

    ``score`` is the cosine. ``memory`` = the ``mem0.Memory`` that is asked; its table is made by the first use.
    """

    memory: Any
    name: str = "mem0"
    modes: tuple[PacketMode, ...] = ("conversation",)
    priority: int = 2
    stands_in_for: str | None = None
    native_rerank: bool = True

    def status(self) -> ProviderStatus:
        """Always to be asked; a database that is down is found out by asking."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The memories that fit, as mem0 orders them."""
        found = self.memory.search(
            request.query, top_k=request.top_k, filters={"user_id": access.workspace}, explain=True
        )
        return [_hit(each) for each in found["results"]]

    def add(self, texts: Sequence[str], *, workspace: str, role: str = "user") -> int:
        """Remember texts as they are, for a workspace; how many mem0 took."""
        said = [{"role": role, "content": text} for text in texts]
        return len(self.memory.add(said, user_id=workspace, infer=False)["results"])


def build(*, embedder: Embedder, conninfo: str | None = None, collection: str = "") -> Mem0Provider:
    """The provider over the database at ``conninfo``; ``collection`` = table, by default one for each embedder.

    Raises ImportError where ``mem0ai`` is not installed, and SettingsError without PostgreSQL.
    """
    os.environ["MEM0_TELEMETRY"] = "False"  # read when mem0 is imported
    import mem0
    from mem0.embeddings.base import EmbeddingBase
    from psycopg_pool import ConnectionPool

    if conninfo is None:
        raise SettingsError("the provider mem0 needs a PostgreSQL database", hint="set DOCGRAPH_STORE=postgres")

    class OwnEmbedder(EmbeddingBase):  # type: ignore[misc]
        """docgraph's embedder as mem0 asks for one."""

        def embed(self, text: str, memory_action: str | None = None) -> list[float]:
            return [float(x) for x in embedder.embed([text])[0]]

    _stay_here()
    pool = ConnectionPool(conninfo, min_size=0, max_size=MAX_CONNECTIONS, timeout=CONNECT_SECONDS, open=False)
    pool.open(wait=False)
    info = embedder.info
    unused = {"api_key": "unused", "openai_base_url": NOWHERE}
    memory = mem0.Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {
                    "connection_pool": pool,
                    "embedding_model_dims": info.dimension,
                    "hnsw": False,
                    "collection_name": collection or f"docgraph_mem0_{fingerprint(info.embedder_id)[:8]}",
                },
            },
            "embedder": {"provider": "openai", "config": {**unused, "embedding_dims": info.dimension}},
            "llm": {"provider": "openai", "config": unused},
            "history_db_path": ":memory:",
        }
    )
    memory.embedding_model = OwnEmbedder()
    return Mem0Provider(memory)


def _stay_here() -> None:
    """Telemetry stays off also where somebody else imported mem0 before, and no model of words is fetched."""
    from mem0.memory import main, telemetry
    from mem0.utils import spacy_models

    telemetry.MEM0_TELEMETRY = main.MEM0_TELEMETRY = False
    if importlib.util.find_spec(SPACY_MODEL) is None:
        spacy_models._load_failed_full = spacy_models._load_failed_lemma = True


def _hit(found: dict[str, Any]) -> ProviderHit:
    details = found.get("score_details") or {}
    role = found.get("role") or ""
    return ProviderHit(
        key=("mem0", found["id"]),
        content=found["memory"],
        score=details.get("semantic_score"),
        source=" › ".join(part for part in ("mem0", role) if part),
        metadata={
            "memory_id": found["id"],
            "role": role,
            "at": found.get("created_at") or "",
            "fused": found.get("score"),
            "words": details.get("bm25_score", 0.0),
            "said": found.get("metadata") or {},
        },
    )
