"""Who may change what, enforced where every write passes: in front of the store, its saved runs and the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from docgraph.boundary.variables import account
from docgraph.errors import DocgraphError, ForbiddenError
from docgraph.ports import Database, QuerySetArchive, RunArchive, SignInLog, Store

if TYPE_CHECKING:
    from docgraph.domain.person import Person, Role, SignIn

SUBJECTS = 20
"""Subjects that a line of the audit names; ``n`` counts all."""
MAX_SUBJECT = 600
"""Characters of each that it holds: a whole id, and of keys of three ids their beginnings."""

Audit = Callable[[Mapping[str, Any]], None]
"""Takes one write: by, role, workspace, act, n, subjects, outcome (*done*, *refused*, *failed*) and error."""


@dataclass(frozen=True)
class Act:
    """A method that writes: the role that it needs, and what it is done to, read from its arguments."""

    needs: Role
    subjects: Callable[..., Iterable[object]]


def _given(subjects: Any, *_: Any, **__: Any) -> Iterable[object]:
    return (subjects,) if isinstance(subjects, str) else subjects


def _forgotten(*, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> Iterable[object]:
    return memory_ids if memory_ids is not None else (conversation_id,)


def _edges(changes: Iterable[Any], **_: Any) -> Iterable[object]:
    return (" → ".join((change.before or change.after).key) for change in changes)


def _whose(sign_in: SignIn) -> str:
    return f"{sign_in.name} {sign_in.short_id}"


WRITES: Mapping[str, Act] = {
    "write": Act("admin", lambda batch, **_: (each.document.document_id for each in batch)),
    "restate": Act("admin", lambda batch, **_: (each.document_id for each in batch)),
    "embedding_turn": Act("admin", _given),
    "begin_embedding": Act("admin", lambda embedder, **_: (embedder.embedder_id,)),
    "put_vectors": Act("admin", lambda batch: (each.document_id for each in batch)),
    "put_memory_vectors": Act("admin", lambda memories, _: (each.memory_id for each in memories)),
    "note_embedding": Act("admin", lambda **_: ()),
    "switch_vectors": Act("admin", tuple),
    "finish_embedding": Act("admin", tuple),
    "abandon_embedding": Act("admin", tuple),
    "put_ingested": Act("admin", lambda edges, **_: (" → ".join(edge.key) for edge in edges)),
    "delete_documents": Act("admin", _given),
    "carry_over": Act("admin", _given),
    "keep_import": Act("admin", lambda summary, *_, **__: (summary.source,)),
    "set_vector_search": Act("admin", _given),
    "create_workspace": Act("admin", _given),
    "drop_workspace": Act("admin", _given),
    "back_up": Act("admin", lambda *_, workspaces=None, **__: workspaces or ("all workspaces",)),
    "restore_backup": Act("admin", lambda *_, names=None, **__: names.values() if names else ("all workspaces",)),
    "begin_sign_in": Act("admin", lambda sign_in, **_: (_whose(sign_in),)),
    "forget_sign_ins": Act("admin", lambda _: ()),
    "saw_sign_in": Act("admin", lambda sign_in_id, **_: (sign_in_id[:12],)),
    "end_sign_ins": Act("admin", lambda sign_ins, **_: map(_whose, sign_ins)),
    "change_relationships": Act("curator", _edges),
    "set_off_relation_types": Act("curator", _given),
    "decide_types": Act("curator", lambda decisions: (each.relation_type for each in decisions)),
    "keep_trial": Act("curator", lambda trial: (trial.workspace,)),
    "set_rules": Act("curator", _given),
    "dismiss": Act("curator", lambda dismissals: (each.subject_id for each in dismissals)),
    "withdraw": Act("curator", _given),
    "say_triage": Act("curator", lambda entries: (each.decision_id for each in entries)),
    "take_back_triage": Act("curator", _given),
    "judge": Act("curator", lambda judgments, **_: (each.document_id for each in judgments)),
    "withdraw_judgment": Act("curator", lambda _, document_id: (document_id,)),
    "judge_passages": Act("curator", lambda judgments: (each.chunk_id for each in judgments)),
    "withdraw_passage": Act("curator", lambda _, document_id, **__: (document_id,)),
    "keep_set": Act("curator", lambda _, stored: (stored.name,)),
    "remove_set": Act("curator", lambda _, name: (name,)),
    "begin_evaluation": Act("curator", lambda begun: (begun.summary.evaluation_id,)),
    "keep_outcomes": Act("curator", lambda _, evaluation_id: (evaluation_id,)),
    "sum_up": Act("curator", lambda begun: (begun.summary.evaluation_id,)),
    "pin_evaluation": Act("curator", lambda _, evaluation_id, __: (evaluation_id,)),
    "remove_evaluation": Act("curator", lambda _, evaluation_id: (evaluation_id,)),
    "remember": Act("curator", lambda memories, *_, **__: (each.memory_id for each in memories)),
    "forget": Act("curator", _forgotten),
    "set_calibration": Act("curator", lambda made: (f"{made.embedder_id} {made.score_kind}",)),
    "remove_calibrations": Act("curator", tuple),
    "save": Act("curator", lambda saved, *_: (saved.run_id,)),
    "describe": Act("curator", _given),
    "delete": Act("curator", _given),
    "restore": Act("curator", _given),
    "add_review": Act("curator", _given),
}
"""Methods that write, and the one that copies everything there is. All others read; a test knows every one by name."""

_READS = """
    reading may_write history rules dismissals triage contested judgments recall memories calibrations content_hashes
    import_hashes find load reviews state runs workspaces open_workspace health close read_backup examine
    imports import_state passages said query_sets query_set evaluations evaluation outcomes
    type_history trials embedding lacking_vectors lacking_memories sign_ins open_sign_ins
"""
READS = frozenset(_READS.split())
ADMINS_READ = frozenset(("sign_ins", "open_sign_ins"))
"""Of ``READS`` what is for admins: who is signed in, since when, and in which browser."""


def lets(person: Person | None, act: str) -> bool:
    """Whether somebody may do this (a name of ``WRITES``); None = nobody was recognised: everything."""
    return person is None or person.may(WRITES[act].needs)


@dataclass(frozen=True)
class Gate:
    """Lets through what ``person`` may do, and tells ``audit`` of every write; None = nobody was recognised: all."""

    person: Person | None
    audit: Audit

    def store(self, store: Store, workspace: str) -> Store:
        """The store of a workspace, behind the gate."""
        return cast(Store, Guarded(store, self, workspace))

    def archive(self, archive: RunArchive) -> RunArchive:
        """The saved runs, behind the gate."""
        return cast(RunArchive, Guarded(archive, self, ""))

    def query_sets(self, archive: QuerySetArchive, workspace: str) -> QuerySetArchive:
        """The query sets, behind the gate."""
        return cast(QuerySetArchive, Guarded(archive, self, workspace))

    def sign_ins(self, log: SignInLog) -> SignInLog:
        """The sign-ins, behind the gate."""
        return cast(SignInLog, Guarded(log, self, ""))

    def database(self, database: Database) -> Database:
        """The database, behind the gate."""
        return cast(Database, Guarded(database, self, ""))

    def lets(self, act: str) -> bool:
        """Whether the person may do this."""
        return lets(self.person, act)

    def through(self, inner: Callable[..., Any], act: str, workspace: str, *given: Any, **named: Any) -> Any:
        """Call ``inner`` when the person may, and tell the audit what came of it. Raises ForbiddenError."""
        done: DocgraphError | None = None
        outcome = "done"
        try:
            if not self.lets(act):
                raise self._refused(WRITES[act].needs)
            return inner(*given, **named)
        except DocgraphError as error:
            done, outcome = error, "refused" if isinstance(error, ForbiddenError) else "failed"
            raise
        except BaseException:
            outcome = "failed"
            raise
        finally:
            subjects = [str(each)[:MAX_SUBJECT] for each in WRITES[act].subjects(*given, **named)]
            self.audit(
                {
                    "by": self.person.name if self.person else _name_in(named) or _account(),
                    "role": self.person.role if self.person else "",
                    "workspace": workspace,
                    "act": act,
                    "n": len(subjects),
                    "subjects": subjects[:SUBJECTS],
                    "outcome": outcome,
                    "error": type(done).__name__ if done else "",
                }
            )

    def reads(self, what: str) -> None:
        """Raises ForbiddenError for what only admins read, where the person is none."""
        if what in ADMINS_READ and self.person is not None and not self.person.may("admin"):
            raise self._refused("admin")

    def _refused(self, needs: Role) -> ForbiddenError:
        assert self.person is not None
        return ForbiddenError(
            f"{self.person.name} is {_a(self.person.role)}, and this needs {_a(needs)}",
            hint=f"ask an admin of this docgraph to make you {_a(needs)}",
        )


def _name_in(named: Mapping[str, Any]) -> str:
    return " ".join(str(named.get("by") or "").split())[:MAX_SUBJECT]


@cache
def _account() -> str:
    """Who a write is by where nobody signs in and no name was given: the account that this process runs under."""
    name = account()
    return f"account {name}" if name else "an account without a name"


class Guarded:
    """A store, an archive or a database as ``person`` may use it; what is neither read nor written is not there."""

    def __init__(self, inner: object, gate: Gate, workspace: str) -> None:
        self._inner, self._gate, self._workspace = inner, gate, workspace

    def __getattr__(self, name: str) -> Any:
        """The inner method: a read as it is, a write through the gate, nothing else."""
        if name in WRITES:
            inner = getattr(self._inner, name)
            return lambda *given, **named: self._gate.through(inner, name, self._workspace, *given, **named)
        if name not in READS:
            raise AttributeError(name)
        self._gate.reads(name)
        return getattr(self._inner, name)

    def may_write(self) -> bool:
        """Whether the person, and the role of the connection, may change relationships."""
        return self._gate.lets("change_relationships") and cast(Store, self._inner).may_write()


def _a(role: Role) -> str:
    return f"an {role}" if role == "admin" else f"a {role}"
