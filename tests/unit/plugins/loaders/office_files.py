"""Word and PowerPoint files made by hand, of the fewest parts that a reader accepts, and workbooks."""

from __future__ import annotations

import io
import zipfile

import xlsxwriter

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


def zipped(parts: dict[str, str]) -> bytes:
    """A zip archive of texts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


def relations(*given: tuple[str, str, str]) -> str:
    """A part that says what another part refers to: (id, kind, target)."""
    entries = "".join(
        f'<Relationship Id="{name}" Type="{_R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if kind == 'hyperlink' else ''}/>"
        for name, kind, target in given
    )
    return f'<?xml version="1.0"?><Relationships xmlns="{_RELATIONS}">{entries}</Relationships>'


def docx_file(body: str = "", *, link: str = "other.docx", document: str = "") -> bytes:
    """A Word file with a title, a heading "Part", the paragraph ``body`` and a link; ``document`` = the whole part."""
    style = '<w:pPr><w:pStyle w:val="{}"/></w:pPr>'
    text = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
    whole = (
        f'<?xml version="1.0"?><w:document xmlns:w="{_W}" xmlns:r="{_R}"><w:body>'
        f"<w:p>{style.format('Title')}{text.format('Queue')}</w:p>"
        f"<w:p>{style.format('Heading1')}{text.format('Part')}</w:p>"
        f"<w:p>{text.format(body)}<w:hyperlink r:id='rLink'>{text.format('the other')}</w:hyperlink></w:p>"
        "</w:body></w:document>"
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name.lower()}"/></w:style>'
        for name in ("Title", "Heading 1")
    )
    return zipped(
        {
            "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{_TYPES}"/>',
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": document or whole,
            "word/_rels/document.xml.rels": relations(("rLink", "hyperlink", link), ("rS", "styles", "styles.xml")),
            "word/styles.xml": f'<?xml version="1.0"?><w:styles xmlns:w="{_W}">{styles}</w:styles>',
        }
    )


def pptx_file(*slides: tuple[str, str]) -> bytes:
    """A PowerPoint file of slides: (title, text)."""
    names = [f"slide{number}" for number in range(1, len(slides) + 1)]
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="{name}"/>' for n, name in enumerate(names, start=1))
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="{0}" name="s"/><p:cNvSpPr/><p:nvPr><p:ph type="{1}"/></p:nvPr></p:nvSpPr>'
        "<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{2}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    parts = {
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{_TYPES}"/>',
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<?xml version="1.0"?><p:presentation xmlns:p="{_P}" xmlns:r="{_R}">'
        f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(*((name, "slide", f"slides/{name}.xml") for name in names)),
    }
    for name, (title, text) in zip(names, slides, strict=True):
        parts[f"ppt/slides/{name}.xml"] = (
            f'<?xml version="1.0"?><p:sld xmlns:p="{_P}" xmlns:a="{_A}" xmlns:r="{_R}"><p:cSld><p:spTree>'
            f"{shape.format(2, 'title', title)}{shape.format(3, 'body', text)}</p:spTree></p:cSld></p:sld>"
        )
        parts[f"ppt/slides/_rels/{name}.xml.rels"] = relations()
    return zipped(parts)


def xlsx_file(*rows: tuple[str, ...]) -> bytes:
    """A workbook with one sheet."""
    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, cells in enumerate(rows):
            sheet.write_row(number, 0, cells)
    return made.getvalue()
