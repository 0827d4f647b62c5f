"""The command ``retrieve``: a question by the retrieval contract, answered with a packet and the next action."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from pydantic import ValidationError

from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, one_line, write_json
from docgraph.domain.packet import MAX_TOP_K, ContextCandidate, PacketMode, PacketRequest, RetrievalResponse
from docgraph.domain.request import request_error

EXCERPT = 220
MARGIN = 12

ModeOption = Annotated[
    PacketMode, typer.Option("--mode", "-m", help="fast: one provider. accurate: several, reranked. conversation.")
]
TopOption = Annotated[
    int, typer.Option("--top-k", "-k", metavar="N", min=1, max=MAX_TOP_K, help="Maximum number of candidates.")
]
ThresholdOption = Annotated[
    float, typer.Option("--threshold", metavar="X", min=0.0, max=1.0, help="Confidence to proceed.")
]
ProviderOption = Annotated[str | None, typer.Option("--provider", metavar="NAME", help="Use only this provider.")]
ChannelOption = Annotated[
    str | None, typer.Option("--channel", metavar="NAME", help="Document type or import the answer must come from.")
]
TypeOption = Annotated[
    list[str] | None, typer.Option("--type", "-t", metavar="TYPE", help="Follow only these relationship types.")
]
BareOption = Annotated[bool, typer.Option("--no-relationships", help="Follow no relationships.")]


def retrieve(
    query: Annotated[str, typer.Argument(metavar="QUESTION")],
    workspace: WorkspaceOption = None,
    mode: ModeOption = "accurate",
    top_k: TopOption = 5,
    threshold: ThresholdOption = 0.6,
    provider: ProviderOption = None,
    channel: ChannelOption = None,
    relation_type: TypeOption = None,
    no_relationships: BareOption = False,
    json: JsonOption = False,
) -> None:
    """Retrieve for a program: passages, confidence, next action."""
    request = _request(
        query=query,
        mode=mode,
        top_k=top_k,
        threshold=threshold,
        provider_override=provider,
        channel=channel,
        relation_types=tuple(relation_type) if relation_type else None,
        use_relationships=not no_relationships,
    )
    with opened(workspace) as docgraph:
        response = docgraph.retrieve(request)
    if json:
        write_json(response)
    else:
        show_response(response)


def show_response(response: RetrievalResponse) -> None:
    """Print the action and its reason, the sources searched, then the candidates with confidence and source."""
    packet, action, routing = response.context_packet, response.next_action, response.routing_metadata
    line((action.action, "bold"), f"  {action.branch_code}: {one_line(action.reason)}")
    if action.suggestion:
        line((f"suggestion  {one_line(action.suggestion)}", "dim"))
    if packet.candidates:
        passage = packet.summary.passage_confidence
        beside = "" if passage is None else f", passage {passage:.2f}"
        line((f"confidence  document with the answer {packet.summary.top_confidence:.2f}{beside}", "dim"))
    for number, candidate in enumerate(packet.candidates, start=1):
        _show_candidate(number, candidate)
    line("")
    asked = ", ".join(routing["selected_providers"]) or "nobody"
    line((f"providers   {asked} ({one_line(routing['why'])}); {count(len(packet.candidates), 'candidate')}", "dim"))
    if note := routing.get("override_note"):
        line((f"            {one_line(note)}", "dim"))
    line((f"rerank      {routing['rerank_type']}: {one_line(routing['rerank_why'])}", "dim"))
    for name, failure in routing["failures"].items():
        said = f": {one_line(failure['message'])}" if failure.get("message") else ""
        line((f"failed      {one_line(name)}, {failure['error_type']}{said}", "yellow"))
    line((f"trace       {routing['trace_id']}, contract {packet.contract_version}", "dim"))


def _show_candidate(number: int, candidate: ContextCandidate) -> None:
    line("")
    raw = candidate.metadata.get("raw_score")
    score = f"  {candidate.metadata.get('score_kind')} {raw:.3f}" if isinstance(raw, float) else ""
    line(f"{number:>3}  relevance {candidate.confidence:.2f}  ", (one_line(candidate.source), "bold"), (score, "dim"))
    for reason in _reasons(candidate):
        line(("← ", "blue"), reason, indent=MARGIN)
    text = one_line(candidate.content)
    line((text if len(text) <= EXCERPT else text[:EXCERPT].rsplit(" ", 1)[0] + " …", ""), indent=MARGIN)


def _reasons(candidate: ContextCandidate) -> list[str]:
    """``explains from adr-3``, for candidates that a relationship brought in."""
    reasons = candidate.metadata.get("reasons") or []
    return [f"{one_line(r['via'])} from {one_line(r['from'])}" for r in reasons]


def _request(**fields: Any) -> PacketRequest:
    """Raises RequestError with one line for the first bad field."""
    try:
        return PacketRequest(**fields)
    except ValidationError as error:
        raise request_error(error) from None
