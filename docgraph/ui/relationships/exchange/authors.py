"""What people decided as a patch of the authors' files: made in the background, looked at, downloaded."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.frozen import fingerprint
from docgraph.domain.imports.patch import SourcePatch
from docgraph.errors import UserError
from docgraph.ports import Progress
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.background import Background, Jobs, follow, of_session, progress_row
from docgraph.views.relationships.patch import owners_archive, patch_name, patch_sentence
from docgraph.views.words.counts import plural

FOLDER, PROFILE = "docgraph.authors.folder", "docgraph.authors.profile"
_ASKED = "docgraph.authors.asked"
_PLACE = "rx-authors-running"
POLL = 0.4
SHOWN_LINES, LISTED = 400, 100
"""Lines of the patch and rows of what is left that are drawn; the files hold all."""

AsPatch = Background[SourcePatch]


def for_authors(workspace: str) -> None:
    """The part of the section: which folder, the patch of it, and what has no place in the files."""
    layout.section("For the authors", "Reviewed changes as a patch for the imported files")
    if not resources.imports_from_paths():
        st.html(
            '<p class="dg-note">Create it where the files are, with <code>docgraph edits export FOLDER --patch</code>. '
            "It is offered here to users of that machine if docgraph was started with "
            "<code>DOCGRAPH_IMPORT_FROM_PATH=true</code>.</p>"
        )
        return
    with st.form("docgraph.authors", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Imported folder", key=FOLDER, max_chars=4096, placeholder="/home/me/docs")
        st.text_input(
            "Import profile",
            key=PROFILE,
            max_chars=4096,
            width=220,
            placeholder="none, auto or a file",
            help="As for the import: none, auto or a profile file",
        )
        st.form_submit_button("Create patch", key="docgraph.authors.make", on_click=_ask, args=(workspace,))
    asked = st.session_state.get(_ASKED)
    job = _jobs().get(asked) if asked and asked.startswith(f"{workspace} ") else None
    if job is not None:
        _show(job)


def _jobs() -> Jobs[AsPatch]:
    return of_session("authors_patch", limit=4)


def _ask(workspace: str) -> None:
    """Begin it anew, even for the same folder: its files may have changed."""
    folder = str(st.session_state.get(FOLDER) or "").strip()
    profile = str(st.session_state.get(PROFILE) or "").strip()
    docgraph = resources.docgraph(workspace)
    name = f"{workspace} {fingerprint([folder, profile])}"
    st.session_state[_ASKED] = name

    def made(progress: Progress) -> SourcePatch:
        if not folder:
            raise UserError("no folder is named", hint="name the one that was imported")
        return docgraph.relationships.patch(folder, profile=profile or None, progress=progress)

    _jobs().stop_others(name)
    _jobs().of(
        name,
        lambda: Background(made, what="the patch could not be created"),
        anew=lambda last: not last.running,
    )


def _show(job: AsPatch) -> None:
    if job.running:
        follow(job, lambda: progress_row(job, _far(job), place=_PLACE, key="docgraph.authors.stop"), every=POLL)
    elif job.error is not None:
        layout.error(job.error)
    elif job.result is not None:
        _made(job.result)


def _far(job: AsPatch) -> str:
    far = job.how_far
    return escape.label(f"{far.counted}  {far.message}" if far.total else "reading the folder", limit=120)


def _made(patch: SourcePatch) -> None:
    st.html(f'<p class="rx-patched" role="status">{escape.html(patch_sentence(patch))}.</p>')
    if patch.files:
        _downloads(patch)
        _preview(patch)
    if patch.left:
        _left(patch)


def _downloads(patch: SourcePatch) -> None:
    owners = patch.by_owner()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            "Patch",
            partial(_data, patch),
            patch_name(patch),
            "text/x-diff",
            key="docgraph.authors.patch",
            on_click="ignore",
            type="primary",
        )
        if len(owners) > 1:
            st.download_button(
                f"A patch for each of {len(owners):,} owners",
                partial(owners_archive, patch),
                patch_name(patch, "zip"),
                "application/zip",
                key="docgraph.authors.owners",
                on_click="ignore",
            )
        st.html('<p class="dg-note">Apply it with <code>git apply</code> in the folder. Nothing is written here.</p>')


def _data(patch: SourcePatch) -> bytes:
    return patch.data


def _preview(patch: SourcePatch) -> None:
    lines = patch.data.decode("utf-8", "replace").splitlines()
    with st.expander(f"Preview, {plural(len(lines), 'line')}", key="docgraph.authors.look"):
        st.code("\n".join(lines[:SHOWN_LINES]), language="diff", wrap_lines=True, height=320)
        if len(lines) > SHOWN_LINES:
            st.html(f'<p class="dg-note">{SHOWN_LINES:,} of {len(lines):,} lines shown. The file has all.</p>')


def _left(patch: SourcePatch) -> None:
    rows = "".join(
        f"<tr><td>{each.entry_id}</td><td>{escape.html(escape.shorten(each.words, 300))}</td>"
        f"<td>{escape.html(escape.shorten(each.reason, 300))}</td></tr>"
        for each in patch.left[:LISTED]
    )
    st.html(
        '<div class="rx-scroll" tabindex="0" role="region" aria-label="Changes left out of the patch">'
        '<table class="rx-table rx-left"><thead><tr><th>entry</th><th>left out</th><th>why</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    if len(patch.left) > LISTED:
        st.html(f'<p class="dg-note">{LISTED:,} of {len(patch.left):,} shown.</p>')
