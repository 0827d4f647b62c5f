"""The first line of a report: documents without a single relationship where targets are named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import field_key
from docgraph.domain.report import IngestReport
from docgraph.ingestion.profiling.habits import values_in

_LINK = re.compile(r"\[\[[^\[\]\n]{1,200}\]\]|\]\((?!#)[^()\s]{1,500}\)|`[^`<>]{0,300}<[^<>`\s]{1,500}>`_")


def with_notice(report: IngestReport, documents: Iterable[Document], related: Collection[str]) -> IngestReport:
    """The report, with a first line where documents were written, no relationship was, and yet targets are named."""
    if not report.n_written or report.n_relationships:
        return report
    n_named = sum(_named(document, related) for document in documents)
    beside = sum(cause.beside for cause in report.causes)
    if not n_named and not beside:
        return report
    named = [f"their texts and metadata name {n_named:,} targets"] if n_named else []
    named += [f"{beside:,} files beside them were not read"] if beside else []
    way = "" if report.reading else ": let the import look first (--profile auto)"
    notice = f"0 relationships of {report.n_written:,} documents, though {' and '.join(named)}{way}"
    return report.model_copy(update={"notice": notice})


def _named(document: Document, related: Collection[str]) -> int:
    fields = (*document.metadata.items(), *dict(document.metadata.get("header") or {}).items())
    declared = sum(len(values_in(value)) for name, value in fields if field_key(str(name)) in related)
    return declared + sum(1 for _ in _LINK.finditer(document.text))
