"""Rules, dismissals and contested relationships in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.domain.graph import Relationship
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.decided import decisions_about
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.workspaces import hold

if TYPE_CHECKING:
    from docgraph.domain.curators.dismissal import Contested, Dismissal
    from docgraph.domain.curators.triage import TriageEntry
    from docgraph.domain.finding import Rule
    from docgraph.plugins.stores.postgres.connections import Connector

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
class PostgresCuration:
    """What a workspace remembers of its curators (``ports.CurationStore``)."""

    _name: str
    _schema: str
    _writer: Connector
    _reader: Connector

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

        rows = self._read("rules", "read the rules")
        return {check_id: Rule.model_validate_json(rule) for check_id, rule in rows}

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        from docgraph.plugins.stores._rows.curation import ready_rules

        ready = ready_rules(rules)
        with self._writer.transaction(f"store the rules of workspace {self._name!r}") as connection:
            hold(connection, self._name)  # of two who store rules at once, one comes after the other
            texts = [rule.model_dump_json() for rule in ready.values()]
            values = {"workspace": self._name, "check_ids": list(ready), "rules": texts}
            connection.execute(SQL["no_rules"].encode(), values)
            connection.execute(SQL["set_rules"].encode(), values)

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        from docgraph.domain.curators.dismissal import Dismissal

        rows = self._read("dismissals", "read the dismissals")
        return tuple(Dismissal.model_validate_json(row[0]) for row in rows)

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        from docgraph.plugins.stores._rows.curation import ready_dismissals

        ready = ready_dismissals(dismissals)
        ids = sorted(ready)  # rows are locked in one order
        values = {
            "workspace": self._name,
            "subject_ids": ids,
            "at": [ready[i].at for i in ids],
            "dismissals": [ready[i].model_dump_json() for i in ids],
        }
        with self._writer.transaction(f"store dismissals in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            connection.execute(SQL["dismiss"].encode(), values)

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        values = {"workspace": self._name, "subject_ids": list(map(cleaned, subject_ids))}
        with self._writer.transaction(f"withdraw dismissals in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            return connection.execute(SQL["withdraw"].encode(), values).rowcount

    def triage(self) -> tuple[TriageEntry, ...]:
        """All that was said of decisions, oldest first."""
        from docgraph.domain.curators.triage import TriageEntry

        rows = self._read("triage", "read what was said of decisions")
        return tuple(TriageEntry.model_validate_json(row[0]) for row in rows)

    def say_triage(self, entries: Sequence[TriageEntry]) -> tuple[TriageEntry, ...]:
        """Keep them, each under the next ``entry_id``; as they are kept."""
        from docgraph.plugins.stores._rows.curation import ready_triage

        key = {"workspace": self._name}
        with self._writer.transaction(f"keep what was said of decisions in workspace {self._name!r}") as connection:
            hold(connection, self._name)  # numbers are given one after the other
            (last,) = connection.execute(SQL["last_triage"].encode(), key).fetchone() or (0,)
            made = ready_triage(entries, after=last)
            if made:
                ids = [each.entry_id for each in made]
                values = key | {"entry_ids": ids, "entries": [each.model_dump_json() for each in made]}
                connection.execute(SQL["say_triage"].encode(), values)
        return made

    def take_back_triage(self, entry_ids: Sequence[int]) -> int:
        """Forget these entries; how many there were."""
        values = {"workspace": self._name, "entry_ids": [each for each in entry_ids if 0 < each < 2**63]}
        with self._writer.transaction(f"take back what was said in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            return connection.execute(SQL["take_back_triage"].encode(), values).rowcount

    def contested(self) -> tuple[Contested, ...]:
        """Where imports and decisions that still stand disagree, by key."""
        from docgraph.domain.curators.dismissal import Contested
        from docgraph.domain.decisions import still_contested

        with self._reader.transaction(f"read what is contested in workspace {self._name!r}") as connection:
            connection.execute(b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # both of one state
            statement = placed(SQL["contested"], self._schema)
            rows = connection.execute(statement, {"workspace": self._name}).fetchall()
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

    def _read(self, name: str, action: str) -> list[tuple[Any, ...]]:
        with self._reader.connection(f"{action} of workspace {self._name!r}") as connection:
            return connection.execute(SQL[name].encode(), {"workspace": self._name}).fetchall()
