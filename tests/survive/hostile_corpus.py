"""A workspace for each class of hostile text, with the text in every field, and the addresses that show it."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

from docgraph import Document
from docgraph.domain.graph import Relationship, Section
from docgraph.domain.where import normal
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.words.reading import readable, readable_line
from tests.survive.hostile import PAYLOADS, mark

FIELDS = ("id", "title", "summary", "heading", "text", "type", "relation", "question")
"""Where a document, a relationship and a saved run hold text of their own."""
MAX_RELATION = 100
_UNSEEN = re.compile("[\u2060\u202a-\u202e\u2066-\u2069]")
Views = dict[str, tuple[str, ...]]


def said(name: str, field: str) -> str:
    """What a field holds: it begins as the payload does (a formula stays one) and ends in a mark."""
    payload = PAYLOADS[name]
    if field == "relation":
        payload = payload[: MAX_RELATION - len(mark(name, field)) - 1]
    return f"{payload} {mark(name, field)}"


def forms(name: str, field: str) -> set[str]:
    """In what ways it may stand in front of its mark: as it is, read as a text, within JSON; without white space."""
    text = said(name, field)
    given = {text, readable(text), readable_line(text), *(readable_line(text[n:]) for n in (1,) if text[0] == "=")}
    given |= {readable(f"before\n\n{text}\n\nafter").split("before", 1)[1].rsplit("after", 1)[0]}
    given |= {normal(text)}  # as values of a filter are compared
    given |= {repr(each)[1:-1] for each in given} | {each.replace("'", "\\'") for each in given}  # in an error's words
    once = {json.dumps(each, ensure_ascii=False)[1:-1] for each in given}
    twice = {json.dumps(each, ensure_ascii=False)[1:-1] for each in once}
    return {squeezed(each).split(mark(name, field))[0] for each in given | once | twice}


def squeezed(text: str) -> str:
    """Without what a page takes out or puts in unseen: white space, word joiners, signs that turn the direction."""
    return "".join(_UNSEEN.sub("", text).split())


def workspace(name: str) -> str:
    """The workspace of a class."""
    return f"h-{name}"


def fill(dg: Docgraph, name: str) -> Views:
    """Make the workspace of a class; page → the addresses that show it."""
    dg.create_workspace(workspace(name), title=said(name, "title"))
    there = dg.use_workspace(workspace(name))
    first, second = said(name, "id"), f"{said(name, 'id')} two"
    edge = Relationship(
        from_document_id=first,
        relation_type=said(name, "relation"),
        to_document_id=second,
        relationship_metadata={"extractor": said(name, "text")[:100], "text": said(name, "text")},
    )
    lost = edge.model_copy(update={"to_document_id": f"{said(name, 'id')} lost"})
    there.ingest_records([_document(name, each) for each in (first, second)], [edge, lost])
    saved = there.runs.save(said(name, "question"), name=said(name, "question"), note=said(name, "text"))
    there.judgments.judge(said(name, "question"), first, True, by=said(name, "title")[:80])
    return _views(name, first, saved.run_id)


def _document(name: str, document_id: str) -> Document:
    section = Section(heading_path=(said(name, "heading"),), text=f"before\n\n{said(name, 'text')}\n\nafter")
    return Document(
        document_id=document_id,
        title=said(name, "title"),
        summary=said(name, "summary"),
        sections=(section,),
        source=said(name, "title"),
        doc_type=said(name, "type"),
        metadata={said(name, "heading"): said(name, "text")},
    )


def _views(name: str, document: str, run: str) -> Views:
    def to(page: str, **query: str) -> str:
        return f"/{page}?{urlencode({'workspace': workspace(name), **query})}"

    question = said(name, "question")
    sections = ("findings", "edges", "vocabulary", "history")
    return {
        "library": (
            to("library", document=document),
            *(to("library", show=view) for view in ("Relationships", "Health")),
        ),
        "plan": (to("plan", query=question), to("plan", run=run, tab="Plan JSON")),
        "home": (to(""),),
        "compare": (to("compare", query=question),),
        "runs": (to("runs", run=run),),
        "relationships": tuple(to("relationships", tab=section) for section in sections),
        "conversation": (to("conversation", ask=question),),
        "presenter": (to("", present="1", query=question),),
    }
