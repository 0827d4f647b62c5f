"""Mistakes of a user, one on each line that ends in ``# wrong``; type checkers must report these lines and no other."""

from __future__ import annotations

from docgraph import AsyncDocgraph, Docgraph, Edit


def blocking(dg: Docgraph) -> None:
    dg.plan(7)  # wrong
    print(dg.plan("why").seeds)  # wrong
    dg.saved_runs()  # wrong
    dg.runs.get(8)  # wrong
    dg.runs.list("text")  # wrong
    dg.relationships.edit([Edit(action="accept", key=("a", "explains", "b"))])  # wrong
    dg.relationships.export("xlsx")  # wrong
    dg.documents()  # wrong
    dg.judgments.judge("why", "a", relevant="yes", by="me")  # wrong
    dg.rules.set({"hub": "off"})  # wrong
    total: int = dg.memory.recall("queue")  # wrong
    print(total)


async def awaited(dg: AsyncDocgraph) -> None:
    print(dg.plan("why").plan_id)  # wrong
    await dg.plan(7)  # wrong
    await dg.runs.get()  # wrong
    await dg.relationships.history(before="1")  # wrong
    await dg.documents.list()  # wrong
    for _ in dg.documents.list():  # wrong
        pass
    print((await dg.workspace()).documents)  # wrong
