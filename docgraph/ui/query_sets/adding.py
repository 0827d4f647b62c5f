"""Adding question sets: from a file, from judged questions, and the page of a workspace that has none."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath

import streamlit as st

from docgraph.boundary.files.regular import check_method
from docgraph.boundary.judgments.query_sets import MAX_BYTES, QRELS, read_query_set
from docgraph.domain.query_set import MAX_SET_NAME, JudgedQuery, QuerySet, halves
from docgraph.domain.report import Adjusted, Rejected
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.runs.saving import person_name
from docgraph.ui.parts.samples.corpus import sample_questions
from docgraph.views.words.counts import plural

JUDGED_SET = "Judged questions"
_FILE, _NAME, _UPLOADS = "qs-file", "qs-name", "query_sets.uploads"
SHOWN, MOST = 10, 500
"""Lines that are shown at once, and at all."""

MAX_MEMBER = MAX_BYTES
"""Bytes that one file of an archive may unfold to."""


def without_questions(docgraph: Docgraph, workspace: Workspace, *, may_write: bool) -> None:
    """The page of a workspace that has no questions yet: one button, and the way in for a file."""
    if not workspace.n_documents:
        layout.no_documents(
            workspace.title or workspace.name,
            "Questions need documents. Load the sample corpus or add your own first.",
        )
        navigation.link("library", "Add documents")
        return
    layout.empty(
        f"{workspace.title or workspace.name} has no questions yet",
        "A saved question says what relationships change in its answer, and every edit of them says which questions it "
        "changes. Ask one and choose Save, or add a file of questions.",
    )
    with st.container(key="qs-start", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            sample_questions(workspace.name, key="docgraph.questions.samples")
            navigation.link("plan", "Ask a question to save")
        if not may_write:
            why = resources.closed("Only curators and admins can save questions.")
            st.html(f'<p class="dg-note">{escape.html(why)}</p>')
            return
        _judged_button(docgraph)
        st.html('<h2 class="dg-h2">Or upload your own questions</h2>')
        _upload(docgraph)


def add_popover(docgraph: Docgraph) -> None:
    """A button that opens the ways to one more set."""
    opened = st.popover(
        "Add a set", key="qs-add", on_change="rerun", help="Add another set of questions", width="content"
    )
    if opened.open:
        with opened:
            sample_questions(docgraph.workspace_name, key="docgraph.questions.samples")
            _judged_button(docgraph)
            _upload(docgraph)


def _judged_button(docgraph: Docgraph) -> None:
    """The questions that people judged documents of and that are in no set: a set of them."""
    sets = docgraph.query_sets
    names = [each.name for each in sets.list()]
    if JUDGED_SET in names:
        return
    there = {each.query for name in names for each in sets.get(name).query_set.queries}
    left = sorted({each.query for each in docgraph.judgments.list()} - there)
    if left:
        label = f"Save the {plural(len(left), 'judged question')} not in any set"
        st.button(label, key="qs-judged", on_click=_save_judged, args=(docgraph, left))


def _save_judged(docgraph: Docgraph, queries: list[str]) -> None:
    """The questions alone: what people judged counts in every set that asks them."""
    made = [JudgedQuery(query_id=f"q{number}", query=query) for number, query in enumerate(queries, start=1)]
    split = halves(tuple(each.query_id for each in made), tuple(each.kind for each in made))
    halved = (each.model_copy(update={"half": half}) for each, half in zip(made, split, strict=True))
    _keep(docgraph, QuerySet(name=JUDGED_SET, queries=tuple(halved)), JUDGED_SET)


def _upload(docgraph: Docgraph) -> None:
    """A file is read as soon as it is there; what could not be taken is said before anything is kept."""
    turn = int(session().page.get(_UPLOADS, 0))
    file = st.file_uploader(
        "JSON Lines, CSV, a zipped BEIR folder, or judgments from Quepid, OpenSearch or ragas",
        type=["jsonl", "csv", "tsv", "json", "zip"],
        key=f"{_FILE}-{turn}",
    )
    if file is None:
        st.html(
            '<p class="dg-note">One question per line: <code>{"query": "Why is the queue bounded?", "relevant": '
            '["ADR-003"], "kind": "why"}</code></p>'
        )
        return
    try:
        read = read_file(file.getvalue(), name=file.name)
    except DocgraphError as problem:
        layout.error(problem)
        return
    said = f"{plural(len(read.queries), 'question')}, {read.n_judged:,} judged"
    st.html(f'<p class="dg-note" role="status">{escape.html(escape.shorten(said, 400))}</p>')
    _told(f"{plural(len(read.rejected), 'line')} skipped", read.rejected)
    _told(f"{plural(len(read.adjusted), 'value')} adjusted", read.adjusted)
    name = st.text_input(
        "Name of the set", value=PurePosixPath(read.name).stem, key=f"{_NAME}-{turn}", max_chars=MAX_SET_NAME
    )
    there = name in {each.name for each in docgraph.query_sets.list()}
    if there:
        st.html('<p class="dg-note">A set with this name exists. Its questions are replaced; its evaluations stay.</p>')
    st.button(
        "Replace its questions" if there else "Save",
        key="qs-keep",
        type="primary",
        disabled=not name.strip(),
        on_click=_keep,
        args=(docgraph, read, name),
    )


def _told(title: str, told: Sequence[Rejected | Adjusted]) -> None:
    """Every line that is not read, or not as it is written, with its reason; of very many the first ones."""
    if not told:
        return
    with st.expander(title, expanded=len(told) <= SHOWN):
        items = "".join(f"<li>{escape.html(escape.shorten(each.reason, 400))}</li>" for each in told[:MOST])
        st.html(f'<ul class="dg-note" role="status">{items}</ul>')
        if len(told) > MOST:
            st.html(f'<p class="dg-note">{MOST:,} of {len(told):,} shown</p>')


def read_file(data: bytes, *, name: str) -> QuerySet:
    """The questions of an uploaded file; of an archive those of ``queries.jsonl``, with its qrels. Raises UserError."""
    if not name.lower().endswith(".zip"):
        return read_query_set(data, name=name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {each.filename: each for each in archive.infolist() if not each.is_dir()}
            found = sorted((path for path in members if PurePosixPath(path).name == "queries.jsonl"), key=len)
            if not found:
                raise UserError(f"{name[:80]!r} contains no queries.jsonl", hint="zip the folder in the BEIR layout")
            root = str(PurePosixPath(found[0]).parent)
            paths = (each if root == "." else f"{root}/{each}" for each in QRELS)
            qrels = next((each for each in paths if each in members), None)
            read = _member(archive, members[found[0]])
            judged = None if qrels is None else _member(archive, members[qrels])
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise UserError(f"{name[:80]!r} cannot be opened: {error}", hint="zip it again") from error
    return read_query_set(read, name=PurePosixPath(name).stem, qrels=judged)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """One file of an archive; what says it is small and is not is cut off. Raises UserError."""
    try:
        check_method(member)
    except ValueError as error:
        raise UserError(f"{member.filename[:80]!r} cannot be opened: {error}", hint="zip it again") from error
    with archive.open(member) as file:
        data = file.read(MAX_MEMBER + 1)
    if len(data) > MAX_MEMBER:
        raise UserError(f"{member.filename[:80]!r} is larger than {MAX_MEMBER:,} bytes", hint="split the set")
    return data


def _keep(docgraph: Docgraph, queries: QuerySet, name: str) -> None:
    """Keep it and show it (in a callback)."""
    try:
        stored = docgraph.query_sets.keep(queries, name=name, by=person_name())
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    session().page[_UPLOADS] = int(session().page.get(_UPLOADS, 0)) + 1
    session().notices.append(f"Saved: {stored.name}, {plural(len(queries.queries), 'question')}.")
    for each in tuple(st.query_params):
        if each != resources.WORKSPACE_KEY:
            del st.query_params[each]
    st.query_params["set"] = stored.name
