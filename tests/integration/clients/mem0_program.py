"""Remembers and asks through docgraph and mem0; says what came of it, and every address that was called."""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

sys.path.append(sys.argv[1])
os.environ["HOME"] = os.environ["MEM0_DIR"] = os.path.dirname(sys.argv[1])  # mem0 writes its configuration there
CALLED: list[str] = []


def _watch() -> None:
    """Every address is written down; those outside of this machine are refused."""
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX:
            CALLED.append(str(address[0]))
            if address[0] not in ("127.0.0.1", "::1"):
                raise OSError("this test calls nobody outside")
        return connect(self, address)

    socket.socket.connect = watched  # type: ignore[method-assign,assignment]


def main() -> None:
    """Run it."""
    _watch()
    given = json.load(sys.stdin)

    import docgraph
    from docgraph.domain.packet import PacketRequest

    options = {"embedder": "openai_compatible", "embedder_url": given["embedder_url"], "embedder_model": "wordllama"}
    with docgraph.connect(given["database_url"], workspace="m", providers="memory,mem0", **options) as dg:
        dg.memory.remember("seed")
        [provider] = [each for each in dg.session.adapters.providers if each.name == "mem0"]
        added: Any = provider
        n_added = added.add(given["texts"], workspace="m"), added.add(["The queue of another workspace"], workspace="o")
        asked = PacketRequest(query=given["query"], mode="conversation")
        response = dg.retrieve(asked, timeout=60)
        again = dg.retrieve(asked, timeout=60)
        added.memory.vector_store.connection_pool.close()
    import mem0

    said = {
        "version": mem0.__version__,
        "n_added": n_added,
        "found": [(c.content, c.metadata["raw_score"], c.metadata["score_kind"]) for c in _of(response)],
        "same": [c.model_dump() for c in _of(response)] == [c.model_dump() for c in _of(again)],
        "failures": response.routing_metadata["failures"],
        "rerank_type": response.routing_metadata["rerank_type"],
        "called": sorted(set(CALLED)),
    }
    print(json.dumps(said, default=str))


def _of(response: Any) -> list[Any]:
    return [each for each in response.context_packet.candidates if "mem0" in each.metadata["providers"]]


if __name__ == "__main__":
    main()
