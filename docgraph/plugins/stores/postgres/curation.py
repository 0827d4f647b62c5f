"""Rules, dismissals and contested relationships in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from docgraph.domain.graph import Relationship
from docgraph.plugins.stores._rows.ready import ready_dismissals, ready_rules, ready_triage
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.decided import decisions_about
from docgraph.plugins.stores.postgres.part import WorkspacePart
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.domain.curation import Contested, Dismissal, TriageEntry
    from docgraph.domain.finding import Rule

WRITTEN = (
    ("docgraph.workspaces", "UPDATE"),
    ("docgraph.relationship_history", "INSERT"),
    ("docgraph.dismissals", "INSERT"),
    ("docgraph.dismissals", "UPDATE"),
    ("docgraph.dismissals", "DELETE"),
    ("docgraph.type_history", "INSERT"),
    ("docgraph.type_trials", "INSERT"),
    ("docgraph.triage", "INSERT"),
    ("docgraph.triage", "UPDATE"),
    ("docgraph.check_rules", "INSERT"),
    ("docgraph.check_rules", "DELETE"),
    ("docgraph.judgments", "INSERT"),
    ("docgraph.judgments", "UPDATE"),
    ("docgraph.judgments", "DELETE"),
    ("{schema}.document_relationships", "INSERT"),
    ("{schema}.document_relationships", "DELETE"),
)
"""What a curator's work needs the right to."""
SQL = family("curation")


@refusing_foreign_rows
class PostgresCuration(WorkspacePart):
    """What a workspace remembers of its curators (``ports.CurationStore``)."""

    def may_write(self) -> bool:
        """Whether the writing connection's role may change relationships, and what curators leave, in this database."""
        names = {"docgraph": f"{self._writer.naming.workbench}.", "{schema}": f'"{self._schema}".'}
        tables = [names[kind] + table for kind, _, table in (each.partition(".") for each, _ in WRITTEN)]
        with self._writer.connection(f"ask for the rights on workspace {self._name!r}") as connection:
            values = {"tables": tables, "rights": [right for _, right in WRITTEN]}
            row = connection.execute(SQL["may_write"].encode(), values).fetchone()
        return bool(row and row[0])

    def rules(self) -> dict[str, Rule]:
        """check_id → rule, as they were stored."""
        from docgraph.domain.finding import Rule

        return {check_id: Rule.model_validate_json(rule) for check_id, rule in self._read("the rules", SQL["rules"])}

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        ready = ready_rules(rules)
        values = {"check_ids": list(ready), "rules": [rule.model_dump_json() for rule in ready.values()]}
        with self._holding("store the rules of") as run:
            run(SQL["no_rules"])
            run(SQL["set_rules"], values)

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        from docgraph.domain.curation import Dismissal

        return tuple(self._models(Dismissal, "the dismissals", SQL["dismissals"]))

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        ready = ready_dismissals(dismissals)
        ids = sorted(ready)  # rows are locked in one order
        values = {
            "subject_ids": ids,
            "at": [ready[i].at for i in ids],
            "dismissals": [ready[i].model_dump_json() for i in ids],
        }
        with self._holding("store dismissals in") as run:
            run(SQL["dismiss"], values)

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        with self._holding("withdraw dismissals in") as run:
            return run(SQL["withdraw"], {"subject_ids": list(map(cleaned, subject_ids))}).rowcount

    def triage(self) -> tuple[TriageEntry, ...]:
        """All that was said of decisions, oldest first."""
        from docgraph.domain.curation import TriageEntry

        return tuple(self._models(TriageEntry, "what was said of decisions", SQL["triage"]))

    def say_triage(self, entries: Sequence[TriageEntry]) -> tuple[TriageEntry, ...]:
        """Keep them, each under the next ``entry_id``; as they are kept."""
        with self._holding("keep what was said of decisions in") as run:
            (last,) = run(SQL["last_triage"]).fetchone() or (0,)
            made = ready_triage(entries, after=last)
            if made:
                ids = [each.entry_id for each in made]
                run(SQL["say_triage"], {"entry_ids": ids, "entries": [each.model_dump_json() for each in made]})
        return made

    def take_back_triage(self, entry_ids: Sequence[int]) -> int:
        """Forget these entries; how many there were."""
        with self._holding("take back what was said in") as run:
            return run(SQL["take_back_triage"], {"entry_ids": [i for i in entry_ids if 0 < i < 2**63]}).rowcount

    def contested(self) -> tuple[Contested, ...]:
        """Where imports and decisions that still stand disagree, by key."""
        from docgraph.domain.curation import Contested
        from docgraph.domain.decisions import still_contested

        with self._reader.transaction(f"read what is contested in workspace {self._name!r}") as connection:
            connection.execute(b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # both of one state
            rows = self._running(connection)(SQL["contested"]).fetchall()
            contested = [
                Contested(kind=kind, relationship=Relationship.model_validate_json(text), entry_id=entry_id, at=at)
                for kind, text, entry_id, at, _ in rows
            ]
            keys = [each.relationship.key for each in contested]
            decided = decisions_about(connection, self._name, keys)
        stored = {
            each.relationship.key: each.relationship.model_copy(update={"relationship_metadata": row[4]})
            for each, row in zip(contested, rows, strict=True)
            if row[4] is not None
        }
        return still_contested(contested, decided, stored)
