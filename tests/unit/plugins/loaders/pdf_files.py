"""Writes small PDF files by hand, so that tests need no tool to make one."""

from __future__ import annotations

import io
import zlib


def pdf_file(*pages: str, encrypt: str = "", outline: tuple[str, ...] = ()) -> bytes:
    """A PDF with one line of text per page, written by hand so that no tool is needed to make one."""
    n_fixed, kids = 3, []
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for text in pages:
        content = zlib.compress(f"BT /F 12 Tf 50 700 Td ({text}) Tj ET".encode("latin-1"))
        kids.append(len(objects) + 1)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F %d 0 R>>>>/Contents %d 0 R>>"
            % (n_fixed, len(objects) + 2)
        )
        objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        size,
        table,
        size,
        len(data),
    )
    return _rewritten(data, encrypt, outline) if encrypt or outline else data


def _rewritten(data: bytes, encrypt: str, outline: tuple[str, ...]) -> bytes:
    import pypdf

    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(data)))
    for page, title in enumerate(outline):
        writer.add_outline_item(title=title, page_number=page)
    if encrypt:
        writer.encrypt(encrypt, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
