"""A patch for the authors in words: what is in it, what is left and why, and its parts by owner."""

from __future__ import annotations

import io
import zipfile

from docgraph.domain.imports.patch import SourcePatch
from docgraph.views.words.counts import plural
from docgraph.views.words.texts import slug

_MADE = (1980, 1, 1, 0, 0, 0)
"""Of every file in an archive, so that equal patches give equal archives."""
_MAX_NAME = 60


def patch_sentence(patch: SourcePatch) -> str:
    """``56 of 60 decisions are in the patch of 59 files; 2 are stated already, 2 have no place in the files``."""
    if not patch.n_edits:
        return "No reviewed changes are missing from the files"
    stand = "is" if 1 in (patch.n_patched, patch.n_edits) else "are"
    where = f"the patch of {plural(len(patch.files), 'file')}" if patch.files else "a patch"
    said = f"{patch.n_patched:,} of {plural(patch.n_edits, 'decision')} {stand} in {where}"
    rest = []
    if patch.n_agreed:
        rest.append(f"{patch.n_agreed:,} {'is' if patch.n_agreed == 1 else 'are'} already in the files")
    if patch.left:
        rest.append(f"{len(patch.left):,} {'has' if len(patch.left) == 1 else 'have'} no matching place in them")
    return "; ".join([said, *([", ".join(rest)] if rest else [])])


def patch_name(patch: SourcePatch, ending: str = "patch") -> str:
    """``keps-corrections.patch``, after the folder."""
    return f"{slug(patch.folder, _MAX_NAME) or patch.workspace}-corrections.{ending}"


def owners_archive(patch: SourcePatch) -> bytes:
    """A zip with one patch an owner, ``01-sig-node.patch``, in the order of their names; equal patches, equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (owner, data) in enumerate(patch.by_owner().items(), start=1):
            name = f"{number:02d}-{slug(owner, _MAX_NAME) or ('nobody' if not owner else 'owner')}.patch"
            archive.writestr(zipfile.ZipInfo(name, _MADE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
