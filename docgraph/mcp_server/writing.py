"""The tools that change relationships, available only with ``--allow-writes``.

Every change is recorded in the history under the name given at the start, and can be undone.
"""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field, WithJsonSchema

from docgraph.domain.curation import Dismissal
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Identifier, RelationType
from docgraph.domain.person import MAX_REASON
from docgraph.errors import NotFoundError
from docgraph.mcp_server.reading import answer, made
from docgraph.mcp_server.results import ChangeResult, IgnoredResult
from docgraph.mcp_server.session import McpSession
from docgraph.orchestration.docgraph import Docgraph

RECORDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)

Reason = Annotated[str, Field(min_length=1, max_length=MAX_REASON, description="Reason, stored in the history.")]
EntryId = Annotated[int, Field(ge=1, description="The entry_id returned by a change.")]
From = Annotated[Identifier, Field(description="Id of the document that the relationship starts at.")]
Via = Annotated[RelationType, Field(description="Its type.")]
To = Annotated[Identifier, Field(description="Id of the document that it leads to.")]
FindingId = Annotated[str, Field(min_length=1, max_length=100, description="From list_relationship_findings.")]

_TEXT = {"type": ["string", "null"]}
OneEdit = Annotated[
    Edit,
    WithJsonSchema(
        {
            "type": "object",
            "description": "One change, or a fix of a finding unchanged.",
            "properties": {
                "action": {
                    "type": "string",
                    "enum": ["add", "remove", "retype", "flip", "retarget", "accept", "reanchor"],
                    "description": "flip reverses the direction; reanchor changes the section that is pointed to.",
                },
                "key": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 3,
                    "maxItems": 3,
                    "description": "[from document id, type, to document id] as it is now.",
                },
                "relation_type": {**_TEXT, "description": "retype: the new type. flip: the name of the inverse."},
                "to_document_id": {**_TEXT, "description": "retarget: the new target."},
                "anchor": {**_TEXT, "description": "reanchor: the anchor now."},
                "to_anchor": {**_TEXT, "description": "reanchor: the new anchor."},
                "heading": {**_TEXT, "description": "reanchor: the heading that the new anchor names."},
            },
            "required": ["action", "key"],
        }
    ),
]
"""Published without what only the history uses; the whole is validated by the model."""


class WritingTools:
    """One method per tool; ``by`` = the author recorded in the history."""

    def __init__(self, session: McpSession, *, by: str) -> None:
        self._session, self._by = session, by

    def tools(self) -> list[Tool]:
        """The tools, the least destructive first."""
        calls = (
            (self.accept_relationship, RECORDS),
            (self.ignore_finding, RECORDS),
            (self.edit_relationship, CHANGES),
            (self.undo, CHANGES),
        )
        return [made(call, kind) for call, kind in calls]

    async def accept_relationship(
        self, from_document_id: From, relation_type: Via, to_document_id: To, reason: Reason
    ) -> Annotated[CallToolResult, ChangeResult]:
        """Record that a relationship was reviewed and is right; it is not changed."""
        edit = Edit(action="accept", key=(from_document_id, relation_type, to_document_id))
        return await self._edited(edit, reason=reason)

    async def edit_relationship(
        self,
        edit: OneEdit,
        reason: Reason,
        new_types: Annotated[bool, Field(description="Allow a relationship type that is not used yet.")] = False,
        dry_run: Annotated[bool, Field(description="Check everything, write nothing.")] = False,
    ) -> Annotated[CallToolResult, ChangeResult]:
        """Add, remove, retype, flip or retarget one relationship: key = [from, type, to].

        retype needs relation_type, retarget needs to_document_id. undo reverts it.
        """
        return await self._edited(edit, reason=reason, new_types=new_types, dry_run=dry_run)

    async def ignore_finding(self, finding_id: FindingId, reason: Reason) -> Annotated[CallToolResult, IgnoredResult]:
        """Ignore a finding until the text of one of its documents changes; nothing else is changed."""
        return answer(IgnoredResult.of(await self._session.call(lambda dg: self._ignored(dg, finding_id, reason))))

    async def undo(self, entry_id: EntryId, reason: Reason) -> Annotated[CallToolResult, ChangeResult]:
        """Undo one entry of the history; the undo is recorded as an entry."""
        entry = await self._session.call(lambda dg: dg.relationships.undo(entry_id, by=self._by, reason=reason))
        return answer(ChangeResult.of(entry))

    async def _edited(
        self, edit: Edit, *, reason: str, new_types: bool = False, dry_run: bool = False
    ) -> CallToolResult:
        entries = await self._session.call(
            lambda dg: dg.relationships.edit([edit], by=self._by, reason=reason, new_types=new_types, dry_run=dry_run)
        )
        return answer(ChangeResult.of(entries[0]))

    def _ignored(self, docgraph: Docgraph, finding_id: str, reason: str) -> Dismissal:
        found = next((f for f in docgraph.check().findings if f.finding_id == finding_id), None)
        if found is None:
            raise NotFoundError(
                f"there is no open finding {finding_id!r}", hint="list them: list_relationship_findings"
            )
        return docgraph.rules.dismiss([found], by=self._by, reason=reason)[0]
