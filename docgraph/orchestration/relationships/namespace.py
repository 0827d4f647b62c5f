"""``dg.relationships``: a table of contents; what each name does stands in the module it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from docgraph.domain.graph import Relationship
from docgraph.orchestration.document_ids import stored_end
from docgraph.orchestration.evaluating import scoreboard as scoreboards
from docgraph.orchestration.relationships import editing, exchange, insight, patching, traceability
from docgraph.orchestration.relationships import impact as impacts
from docgraph.orchestration.relationships import type_roles as roles
from docgraph.orchestration.session import Namespace


class Relationships(Namespace):
    """The relationships of one workspace: list, edit with a name and a reason, undo, import and export."""

    def list(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """Relationships by key; ``document_id`` = at either end, ``dangling`` = whether the target is missing.

        The id ignores case. Raises UserError when it matches several documents.
        """
        with self.session.reading() as snapshot:
            at = None if document_id is None else stored_end(snapshot, document_id)
            yield from snapshot.relationships(document_id=at, relation_type=relation_type, dangling=dangling)

    def types(self) -> dict[str, int]:
        """relation_type → number of relationships."""
        with self.session.reading() as snapshot:
            return snapshot.relation_types()

    # what types may do in plans
    set_off_types = roles.set_off_types
    type_roles = roles.type_roles
    set_type_role = roles.set_type_role
    type_history = roles.type_history
    undo_type = roles.undo_type
    try_types = roles.try_types
    trials = roles.trials
    adopt_trial = roles.adopt_trial
    # what a curator looks at
    vocabulary = insight.vocabulary
    suggestions = insight.suggestions
    evidence = insight.evidence
    scoreboard = scoreboards.scoreboard
    # what leads where, and what is missing
    matrix = traceability.matrix
    matrix_file = traceability.matrix_file
    # what edits would change
    impact = impacts.impact
    effects = impacts.effects
    compare_edits = impacts.compare_edits
    # changes, their history, and the way back
    edit = editing.edit
    add = editing.add
    update = editing.update
    remove = editing.remove
    merge_edits = insight.merge_edits
    history = editing.history
    undo = editing.undo
    undo_act = editing.undo_act
    blocking = editing.blocking
    # as a file
    export = exchange.export
    read_file = exchange.read_file
    import_file = exchange.import_file
    # back to the authors
    patch = patching.patch
