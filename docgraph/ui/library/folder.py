"""A folder chosen in the browser: packed there as one archive, piece by piece, and taken as one upload."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from docgraph.ui.frame import assets, resources
from docgraph.ui.frame.shortcuts import class_of
from docgraph.ui.parts.ingestion.source import ImportSource

UPLOAD_KEY, PICK_KEY = "docgraph.library.folder", "docgraph.library.folder_pick"
ENDING = ".tar"
_HTML = """
<div class="folder" role="group" aria-label="Upload a folder">
<div class="zone"><button type="button" class="choose">Choose a folder</button><span>or drop one here</span>
<input type="file" webkitdirectory multiple hidden aria-label="A folder"></div>
<div class="busy" hidden><progress max="1" aria-label="Packed files"></progress><span class="count"></span>
<button type="button" class="cancel">Cancel</button></div>
<p class="said" role="status" aria-live="polite"></p></div>
"""
_COMPONENT = assets.component(
    "folder", __file__, html=_HTML, css=("folder.css",), js=("frame/arrival.js", "folder_tar.js", "folder.js")
)


def folder() -> ImportSource | None:
    """The folder that was handed over, or None."""
    st.html(
        '<p class="dg-note">A folder with all that is in it; names are kept, so that links between its files are '
        "found. Hidden entries, node_modules and the like stay where they are.</p>"
    )
    with st.container(key="dg-folder", gap="small"):
        _COMPONENT(
            key=PICK_KEY,
            data={
                "uploader": f'.st-key-{class_of(UPLOAD_KEY)} input[type="file"]',
                "most": resources.settings().max_upload_mb << 20,
                "taken": st.session_state.get(UPLOAD_KEY) is not None,
            },
        )
        # The archive goes in by the framework's own door, which has its limits and knows who may send, and shows how
        # far it is. Without a file it is out of sight: a folder that is dropped there would come in file by file.
        file = st.file_uploader(
            "The folder as one archive", type=ENDING[1:], key=UPLOAD_KEY, label_visibility="collapsed"
        )
    return source_of(file) if isinstance(file, UploadedFile) else None


def source_of(file: UploadedFile) -> ImportSource:
    """An archive that the component made, as what an import reads; the bytes are those that the server holds."""
    return ImportSource(f"the folder {file.name.removesuffix(ENDING)}", files=((file.name, file.getvalue()),))
