"""Corrections as authors get them: a patch of their own files, and what has no place in these."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.edit import edge_words
from docgraph.domain.frozen import Frozen
from docgraph.domain.overrides import EdgeKey

LeftCause = Literal["no_file", "changed", "record", "mention", "status_line", "no_field", "no_place", "encoding"]
"""Why an edit is in no patch.

``no_file`` = the folder has no file of the document, ``changed`` = the file is not what was imported, ``record`` = it
came as a record and not out of a text, ``mention`` and ``status_line`` = sentences of an author, ``no_field`` = no
field takes the new relationship, ``no_place`` = it stands where it cannot be changed alone, ``encoding`` = git makes no
text patches of the file's encoding.
"""


class PatchedFile(Frozen):
    """The changes of one file. ``diff`` is a unified diff; its bytes are ``diff.encode(encoding)``.

    ``path`` is relative to the folder, with ``/``. ``entries`` = the entries of the history that it carries.
    """

    path: str
    owner: str = ""
    encoding: str = "utf-8"
    diff: str
    entries: tuple[int, ...] = ()

    @property
    def data(self) -> bytes:
        """The diff in the encoding of the file."""
        return self.diff.encode(self.encoding)


class LeftEdit(Frozen):
    """An edit that stays an edit: the entry of the history, what it came from and what it made, and the reason."""

    entry_id: int
    gone: EdgeKey | None = None
    made: EdgeKey | None = None
    cause: LeftCause
    reason: str

    @property
    def words(self) -> str:
        """``a —requires→ b``, with what it became; holds ids: hostile data."""
        said = [edge_words(key) for key in (self.gone, self.made) if key is not None]
        return " to ".join(said) if len(said) == 2 else f"{'without' if self.made is None else 'with'} {said[0]}"


class SourcePatch(Frozen):
    """What the decisions of a workspace change in the files of a folder.

    ``files`` by path, ``left`` by entry. ``n_agreed`` decisions are stated by the files already; ``n_edits`` counts
    all: those in ``files``, ``left`` and agreed.
    """

    workspace: str
    folder: str
    files: tuple[PatchedFile, ...] = ()
    left: tuple[LeftEdit, ...] = ()
    n_edits: int = Field(default=0, ge=0)
    n_patched: int = Field(default=0, ge=0)
    n_agreed: int = Field(default=0, ge=0)

    @property
    def data(self) -> bytes:
        """All files as one patch for ``git apply`` in the folder; empty when there is nothing to change."""
        return b"".join(file.data for file in self.files)

    def by_owner(self) -> dict[str, bytes]:
        """Owner → the patch of their files; "" = nobody is named."""
        owners = sorted({file.owner for file in self.files})
        return {owner: b"".join(file.data for file in self.files if file.owner == owner) for owner in owners}
