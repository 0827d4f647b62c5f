"""What all sessions of the dashboard share: the database, one view per workspace, and runs already made."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass

import streamlit as st

from docgraph.bootstrap import connect
from docgraph.domain.person import Person, Role
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.workspace import WORKSPACE_PATTERN, Workspace
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.guarded import lets
from docgraph.orchestration.pipeline import run_then
from docgraph.settings import Settings, read_settings
from docgraph.ui.frame import signing, visitor
from docgraph.ui.frame.sign_ins import SignIns
from docgraph.views.words.address import RUN

WORKSPACE_KEY = "workspace"
"""Where the session keeps the name of its workspace, and what it is called in an address."""

SAMPLE_WORKSPACE = "harbor"
"""The workspace that the sample corpus is loaded into."""

_CHOSEN_KEY = "docgraph.chosen_workspace"


@st.cache_resource(max_entries=1, show_spinner=False)
def settings() -> Settings:
    """The settings of this process. Raises SettingsError."""
    return read_settings()


@st.cache_resource(max_entries=1, show_spinner=False, on_release=lambda opened: opened.close())
def _database() -> Docgraph:
    return connect(settings=settings())


@st.cache_resource(max_entries=64, show_spinner=False)
def _view(name: str) -> Docgraph:
    database = _database()
    return database if name == settings().workspace else database.use_workspace(name)


def docgraph(workspace: str | None = None) -> Docgraph:
    """The product over the current workspace (or the one named), shared by all sessions; never close it.

    Raises EnvironmentProblem when the database cannot be opened: let it pass, the shell shows the written error.
    """
    return _acting(workspace or current_workspace().name)


def person() -> Person | None:
    """Who this session's reader is; None where nobody signs in. Raises ForbiddenError for who did not yet."""
    return signing.person(settings(), sign_ins)


@st.cache_resource(max_entries=1, show_spinner=False)
def sign_ins() -> SignIns:
    """The sign-ins of the database, as this process knows them. Raises StoreError."""
    adapters = _database().session.adapters
    return SignIns(adapters.database.sign_ins, adapters.audit, settings())


def sign_in_needed() -> bool:
    """Whether this page shows the sign-in, and nothing else; drawn where it is. Raises StoreError."""
    return signing.sign_in_needed(settings(), sign_ins)


def sign_out_everywhere() -> None:
    """End every sign-in of this session's reader, in all browsers. Raises StoreError."""
    who = person()
    if who is not None:
        sign_ins().sign_out(signing.sign_in_id(), who, everywhere=True)


def may(act: str) -> bool:
    """Whether this session's reader has the role for a write (a name of ``orchestration.guarded.WRITES``)."""
    return lets(person(), act) and not only_reads()


def only_reads() -> str:
    """The name of a source that is only read, never written; empty where docgraph stores the documents itself."""
    return _database().session.only_reads


def closed(who: str) -> str:
    """Why something cannot be done, as plain text: ``who`` may do it, or nobody because everything is only read."""
    read, end = only_reads(), "." if who.endswith(".") else ""
    return f"docgraph only reads the {read} and stores nothing beside it{end}" if read else who


def _acting(name: str) -> Docgraph:
    who = person()
    return _view(name) if who is None else _view_as(name, who.name, who.role)


@st.cache_resource(max_entries=512, show_spinner=False)
def _view_as(name: str, person_name: str, role: Role) -> Docgraph:
    return _view(name).acting_as(Person(name=person_name, role=role))


_seen: ContextVar[list[tuple[Workspace, ...]] | None] = ContextVar("workspaces_seen", default=None)


@contextmanager
def one_look() -> Iterator[None]:
    """Inside, the database is asked for its workspaces once: a run of a page's script shows one state of them.

    Callbacks and fragments on their own run outside, and ask anew.
    """
    token = _seen.set([])
    try:
        yield
    finally:
        _seen.reset(token)


def workspaces() -> tuple[Workspace, ...]:
    """All workspaces of the database by name, read anew (see ``one_look``). Raises StoreError."""
    seen = _seen.get()
    if seen:
        return seen[0]
    found = _database().workspaces()
    if seen is not None:
        seen.append(found)
    return found


def current_workspace() -> Workspace:
    """The workspace of this session, with revision and counts as they are now.

    That is the one of the address, else the one that the session is in; where there is neither, the one of the
    settings, else the first that has documents. While none exists, an empty one (revision ``""``) stands for the one
    that the first import creates. Raises NotFoundError for a page of a workspace that is not there: no other one
    answers in its name.
    """
    there = {workspace.name: workspace for workspace in workspaces()}
    _move_to_chosen(there)
    if (missing := missing_workspace()) is not None:
        raise NotFoundError(
            f"there is no workspace {missing[:60]!r}: it was dropped, or never was here",
            hint="reload the page and choose one that is there",
        )
    for name in (_named(), settings().workspace):
        if name in there:
            return there[name]
    filled = [workspace for workspace in there.values() if workspace.n_documents]
    if filled or there:
        return (filled or list(there.values()))[0]
    return Workspace(name=settings().workspace, embedder=_database().embedder, revision="")


def missing_workspace() -> str | None:
    """The workspace that this page is about, by its address or by what was chosen, where it is not there.

    A frozen run is no page of a workspace: it shows what was read then, whatever became of that.
    """
    there = {workspace.name for workspace in workspaces()}
    _move_to_chosen(there)
    named = _named()
    if not named or named in there or RUN in st.query_params or (not there and named == settings().workspace):
        return None
    return named


def stay_in(workspace: Workspace) -> None:
    """Keep the session in the workspace that is shown, whatever page it goes to and by whatever name alone."""
    st.session_state[WORKSPACE_KEY] = workspace.name


def leave(name: str) -> None:
    """Forget that this session is in a workspace: from its next run on it is in none that is named."""
    if st.session_state.get(WORKSPACE_KEY) == name:
        del st.session_state[WORKSPACE_KEY]
    if st.query_params.get(WORKSPACE_KEY) == name:
        del st.query_params[WORKSPACE_KEY]


def _named() -> str:
    return str(st.query_params.get(WORKSPACE_KEY) or st.session_state.get(WORKSPACE_KEY) or "")


def _move_to_chosen(there: Container[str]) -> None:
    chosen = st.session_state.pop(_CHOSEN_KEY, None)
    if chosen in there:
        st.session_state[WORKSPACE_KEY] = st.query_params[WORKSPACE_KEY] = chosen


def warm_up() -> None:
    """Open the workspace that is shown first, if it is there, for whoever comes. Raises StoreError."""
    name = settings().workspace
    if any(workspace.name == name for workspace in workspaces()):
        _view(name).relationships.types()


def choose(name: str) -> None:
    """Make ``name`` the workspace of this session from its next run on: one run shows one workspace."""
    st.session_state[_CHOSEN_KEY] = name


def run(request: RetrievalRequest, workspace: str | None = None) -> Run:
    """The run of ``request`` on the data as it is now; the same frozen object while request and data are equal.

    Raises RequestError, StoreError, EmbedderError; failures are not kept.
    """
    return _kept(request, workspace).whole()


def begun(request: RetrievalRequest, workspace: str | None = None) -> Begun:
    """The run of ``request`` as soon as there is one; its contract is checked when asked for. Raises as ``run``."""
    kept = _kept(request, workspace)
    return Begun(kept.begun(), kept.whole)


@dataclass(frozen=True)
class Begun:
    """A run that may not have its contract yet, and what gives the one that has. Raises StoreError, EmbedderError."""

    run: Run
    whole: Callable[[], Run]


class _Kept:
    """A run of one state of the data, made once, and checked once."""

    def __init__(self, of: Docgraph, request: RetrievalRequest) -> None:
        self._of, self._request, self._lock = of, request, threading.Lock()
        self._begun: tuple[Run, Callable[[], Run]] | None = None
        self._whole: Run | None = None

    def begun(self) -> Run:
        """The run, with its contract where that was checked before anybody asked."""
        with self._lock:
            if self._begun is None and self._whole is None:
                self._begun = run_then(self._of.session, self._request)
            return self._begun[0] if self._begun else self._made()

    def whole(self) -> Run:
        """The run with its contract; where the data have changed meanwhile, one of the data of now."""
        with self._lock:
            return self._made()

    def _made(self) -> Run:
        if self._whole is None:
            if self._begun is not None:
                with suppress(ConflictError):
                    self._whole = self._begun[1]()
                    return self._whole
            self._whole = self._of.run(self._request)
        return self._whole


def _kept(request: RetrievalRequest, workspace: str | None) -> _Kept:
    person()
    name = workspace or current_workspace().name
    return _run(name, _view(name).workspace.state, request.model_dump_json())


@st.cache_resource(max_entries=64, ttl="6h", show_spinner=False)
def _run(workspace: str, revision: str, request_json: str) -> _Kept:
    del revision  # part of the key only: a change of the data, of places too, is a new state, hence a new run
    return _Kept(_view(workspace), RetrievalRequest.model_validate_json(request_json))


def imports_from_paths() -> bool:
    """Whether this visitor may import from a path: that is switched on, and the visitor sits at this machine."""
    return settings().import_from_path and visitor.is_local()


def create_workspace(name: str, *, title: str = "") -> None:
    """A new, empty workspace. Raises UserError for an impossible name, ConflictError when it exists."""
    if not re.fullmatch(WORKSPACE_PATTERN, name):
        raise UserError(
            f"no workspace can be called {name[:60]!r}",
            hint="1 to 40 characters: a lower-case letter, then lower-case letters, digits, _ or -",
        )
    _acting(settings().workspace).create_workspace(name, title=title)
    forget(name)


def drop_workspace(name: str) -> None:
    """Remove a workspace with everything in it. Raises NotFoundError."""
    _acting(name).drop_workspace(name)
    forget(name)


def forget(workspace: str) -> None:
    """Drop the shared view of a workspace that was created, dropped or filled under this name."""
    _view.clear(workspace)
    _view_as.clear()
    _look_again()


def _look_again() -> None:
    seen = _seen.get()
    if seen:
        seen.clear()


def reconnect() -> None:
    """Open the database anew on the next use: for the *Try again* of the error card."""
    settings.clear()
    sign_ins.clear()
    _view_as.clear()
    _view.clear()
    _database.clear()
    _look_again()


def close() -> None:
    """Give the database back: at the end of the process."""
    sign_ins.clear()
    _view_as.clear()
    _view.clear()
    _database.clear()
