"""Lets the services' own clients, and docgraph's plug-ins, ask one local server the same question."""

from __future__ import annotations

import json
import sys
from typing import Any

sys.path.append(sys.argv[1])


def main() -> None:
    """Run it."""
    given = json.load(sys.stdin)
    query, texts, url, key = given["query"], given["texts"], given["url"], given["key"]

    import cohere
    import voyageai

    from docgraph import plugins

    answer: Any = voyageai.Client(api_key=key, base_url=f"{url}/v1").rerank(query, texts, model="rerank-2.5")
    theirs = {"voyage": sorted((each.index, each.relevance_score) for each in answer.results)}
    answer = cohere.ClientV2(api_key=key, base_url=url).rerank(model="rerank-v3.5", query=query, documents=texts)
    theirs["cohere"] = sorted((each.index, each.relevance_score) for each in answer.results)
    ours = {}
    for name, base in (("voyage", f"{url}/v1"), ("cohere", f"{url}/v2")):
        found = plugins.build("rerankers", name, url=base, api_key=key).rerank(query, texts)
        ours[name] = [(each.index, each.score) for each in found]
    print(json.dumps({"theirs": theirs, "ours": ours, "versions": [voyageai.__version__, cohere.__version__]}))


if __name__ == "__main__":
    main()
