"""A whole database over a store that only reads: what is not kept is not there, and what would change it is refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn

from docgraph.errors import NotFoundError, UserError
from docgraph.ports.reader import TellsOfItself

if TYPE_CHECKING:
    from docgraph.domain.workspace import EmbedderInfo, Workspace
    from docgraph.ports.keeping import SignInLog
    from docgraph.ports.reader import Reader
    from docgraph.ports.reading import Snapshot

HINT = "use a store that keeps what it is given, such as DOCGRAPH_STORE=postgres, and import the documents there"


def _refused(why: str) -> Callable[..., Any]:
    """A method that raises UserError: ``the store 'x' only reads: …``."""

    def refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
        raise UserError(f"the store {self.store!r} only reads: {why}", hint=HINT)

    refuse.__doc__ = f"Raises UserError: {why}."
    return refuse


def _always(value: Any = ()) -> Callable[..., Any]:
    """A method whose answer is ``value``: nothing of the kind is kept."""

    def answer(self: Any, *_: Any, **__: Any) -> Any:
        return value

    answer.__doc__ = f"Always {value!r}: nothing of the kind is kept."
    return answer


class NoRuns:
    """The archive of a store that keeps none (``ports.RunArchive``): nothing is found in it, nothing goes in."""

    def __init__(self, store: str) -> None:
        self.store = store

    find, state = _always(), _always(None)
    save = load = describe = delete = restore = add_review = reviews = _refused("it keeps no saved runs")


class NoQuerySets:
    """The archive of a store that keeps none (``ports.QuerySetArchive``): nothing is found in it, nothing goes in."""

    def __init__(self, store: str) -> None:
        self.store = store

    query_sets = evaluations = _always()
    keep_set = query_set = remove_set = _refused("it keeps no query sets")
    begin_evaluation = evaluation = outcomes = keep_outcomes = sum_up = _refused("it keeps no query sets")
    pin_evaluation = remove_evaluation = _refused("it keeps no query sets")


class ReadingOnlyStore:
    """One workspace of a ``Reader`` as a ``ports.Store``."""

    def __init__(self, reader: Reader, store: str, workspace: str) -> None:
        self.store = store
        self._reader, self._workspace = reader, workspace

    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> AbstractContextManager[Snapshot]:
        """See ``Reader.reading``; how it searches is its own affair."""
        return self._reader.reading(self._workspace)

    def may_write(self) -> bool:
        """Never."""
        return False

    # ------------------------------------------------------------ what is not kept is not there

    history = trials = type_history = dismissals = triage = contested = judgments = passages = _always()
    recall = memories = calibrations = imports = _always()
    import_state = embedding = _always(None)
    said = _always(((), ()))

    def rules(self) -> dict[str, Any]:
        """None: checks run as they are."""
        return {}

    # ------------------------------------------------------------ what would have to be kept is refused

    content_hashes = import_hashes = write = restate = put_ingested = _refused("nothing is imported into it")
    embedding_turn = begin_embedding = lacking_vectors = lacking_memories = put_vectors = put_memory_vectors = (
        note_embedding
    ) = switch_vectors = finish_embedding = abandon_embedding = _refused("its vectors are its own affair")
    carry_over = _refused("documents are moved where they are kept")
    delete_documents = _refused("documents are deleted where they are kept")
    change_relationships = set_off_relation_types = decide_types = _refused(
        "relationships are changed where they are kept"
    )
    keep_trial = _refused("it keeps no trials")
    set_vector_search = _refused("how it is searched is its own affair")
    set_rules = _refused("it keeps no rules")
    dismiss = withdraw = _refused("it keeps nothing of what is ignored or rejected")
    say_triage = take_back_triage = _refused("it keeps nothing that is said of decisions")
    judge = withdraw_judgment = judge_passages = withdraw_passage = _refused("it keeps no judgments")
    remember = forget = _refused("it keeps no conversation memory")
    keep_import = _refused("nothing is imported into it")
    set_calibration = remove_calibrations = _refused("it keeps no calibrations")


class NoSignIns:
    """The log of a store that keeps none (``ports.SignInLog``): nobody can sign in over it."""

    def __init__(self, store: str) -> None:
        self.store = store

    begin_sign_in = forget_sign_ins = sign_ins = open_sign_ins = saw_sign_in = end_sign_ins = _refused(
        "it keeps no sign-ins"
    )


class ReadingOnly:
    """All workspaces of a ``Reader`` as a ``ports.Database``; ``store`` is the plug-in's name, for what is refused.

    ``sign_ins`` = what keeps those of the dashboard in its place.
    """

    def __init__(self, reader: Reader, store: str, *, sign_ins: SignInLog | None = None) -> None:
        self.store, self.runs, self.query_sets = store, NoRuns(store), NoQuerySets(store)
        self.sign_ins: SignInLog = sign_ins or NoSignIns(store)
        self._reader = reader

    @property
    def only_reads(self) -> str:
        """What is read, in words: what the reader says of itself, else the plug-in's name."""
        return self._reader.source if isinstance(self._reader, TellsOfItself) else f"store {self.store}"

    def workspaces(self) -> tuple[Workspace, ...]:
        """See ``Reader.workspaces``."""
        return self._reader.workspaces()

    def open_workspace(self, name: str) -> ReadingOnlyStore:
        """Raises NotFoundError, naming the workspaces there are."""
        there = [workspace.name for workspace in self.workspaces()]
        if name not in there:
            raise NotFoundError(f"there is no workspace {name!r}", hint=f"there are: {', '.join(there) or 'none'}")
        return ReadingOnlyStore(self._reader, self.store, name)

    create_workspace = drop_workspace = _refused("its workspaces are made and removed where they are kept")

    def health(self) -> dict[str, Any]:
        """``kind`` is the plug-in's name; beside it what the reader says of itself."""
        said = self._reader.health() if isinstance(self._reader, TellsOfItself) else {}
        return {"kind": self.store, "only_reads": True, "n_workspaces": len(self.workspaces()), **said}

    def close(self) -> None:
        """See ``Reader.close``."""
        self._reader.close()
