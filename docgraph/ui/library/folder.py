"""One place to drop documents: a folder, packed by the browser as one archive, an archive as it is, or some files."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from docgraph.ui.frame import assets, resources
from docgraph.ui.frame.shortcuts import class_of
from docgraph.ui.parts.ingestion.job import ImportSource
from docgraph.views.words.counts import plural

UPLOAD_KEY, PICK_KEY = "docgraph.library.upload", "docgraph.library.pick"
ENDINGS = (".tar.gz", ".tgz", ".tar", ".zip")
_HTML = """
<div class="folder" role="group" aria-label="Add documents">
<div class="zone"><p class="what">Drop a folder, an archive, or files here</p>
<p class="kinds">Markdown, reStructuredText, HTML, PDF, notebooks, office and wiki files, graphs, JSON Lines;
zip or tar.gz of them</p>
<div class="ways"><button type="button" class="choose">Choose a folder</button>
<button type="button" class="some">Choose files</button></div>
<input type="file" class="whole" webkitdirectory multiple hidden aria-label="A folder">
<input type="file" class="single" multiple hidden aria-label="Files"></div>
<div class="busy" hidden><progress max="1" aria-label="Packed files"></progress><span class="count"></span>
<button type="button" class="cancel">Cancel</button></div>
<p class="said" role="status" aria-live="polite"></p></div>
"""
_COMPONENT = assets.component(
    "folder", __file__, html=_HTML, css=("folder.css",), js=("frame/arrival.js", "folder_tar.js", "folder.js")
)


def dropped() -> ImportSource | None:
    """What was handed over, or None."""
    with st.container(key="dg-folder", gap="small"):
        _COMPONENT(
            key=PICK_KEY,
            data={
                "uploader": f'.st-key-{class_of(UPLOAD_KEY)} input[type="file"]',
                "most": resources.settings().max_upload_mb << 20,
                "taken": bool(st.session_state.get(UPLOAD_KEY)),
            },
        )
        # What was dropped goes in by the framework's own door, which has its limits and knows who may send, and shows
        # how far it is. Without a file it is out of sight: a folder that is dropped there would come in file by file.
        files = st.file_uploader("Upload", accept_multiple_files=True, key=UPLOAD_KEY, label_visibility="collapsed")
    there = [each for each in files or () if isinstance(each, UploadedFile)]
    return source_of(there) if there else None


def source_of(files: Sequence[UploadedFile]) -> ImportSource:
    """What an import reads; the bytes are those that the server holds, not a copy of them."""
    contents = tuple((each.name, each.getvalue()) for each in files)
    if len(contents) > 1:
        return ImportSource(plural(len(contents), "uploaded file"), files=contents)
    name = contents[0][0]
    bare = next((name[: -len(end)] for end in ENDINGS if name.lower().endswith(end)), "")
    is_folder = name.endswith(".tar")
    return ImportSource(f"the folder {bare}" if is_folder else name, files=contents, title=bare or name)
