"""The default summarizer: the one or two most central sentences of a document's beginning, found by embedding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from docgraph.domain.content_words import SENTENCE_END
from docgraph.domain.graph import Document, Vectors

MAX_SUMMARY = 300
MAX_SENTENCES = 40
MAX_CHARACTERS = 12_000
_SHORTEST, _LONGEST = 30, 400
_LEAD = 0.12
"""What the first sentence gains over the last one looked at: authors say early what a document is about."""

_FENCE = re.compile(r"^\s*(```|~~~)")
_MARKUP = re.compile(r"^\s*(?:[#>|=+~^*_-]{2,}|[#|>]|\.\. |:[\w -]{1,40}:|[-*+•] |\d{1,3}[.)] )")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)")
_ROLE = re.compile(r":[a-z-]{1,20}:`([^`<>]{1,100})(?:<[^`]{0,200}>)?`")
_WORD = re.compile(r"[^\W\d_]{2,}")


def build() -> ExtractiveSummarizer:
    """No options: everything is bounded and deterministic."""
    return ExtractiveSummarizer()


class ExtractiveSummarizer:
    """Looks at the first 40 sentences of running text (no code, tables, lists or headings) and embeds each once."""

    name = "extractive"

    def summarize(self, document: Document, embed: Callable[[Sequence[str]], Vectors]) -> str:
        """One or two sentences in text order, at most 300 characters; the first words when there are no sentences."""
        import numpy as np

        sentences = list(_sentences(document))
        if not sentences:
            return _shortened(_first_words(document) or document.title)
        vectors = np.asarray(embed(sentences), dtype=np.float64)
        centre = vectors.mean(axis=0)
        lead = _LEAD * (1 - np.arange(len(sentences)) / MAX_SENTENCES)
        scores = (vectors * centre).sum(axis=1) / (np.linalg.norm(centre) or 1.0) + lead
        order = sorted(range(len(sentences)), key=lambda place: (-round(float(scores[place]), 6), place))
        chosen = [order[0]]
        second = next((place for place in order[1:] if _fit(sentences, order[0], place)), None)
        if second is not None:
            chosen.append(second)
        return _shortened(" ".join(sentences[place] for place in sorted(chosen)))


def _fit(sentences: Sequence[str], first: int, second: int) -> bool:
    return sentences[first] != sentences[second] and len(sentences[first]) + len(sentences[second]) < MAX_SUMMARY


def _sentences(document: Document) -> Iterator[str]:
    found = 0
    for paragraph in _paragraphs(_beginning(document)):
        for sentence in SENTENCE_END.split(paragraph):
            line = sentence.strip()
            # A line that starts small is the rest of a list item or of a sentence cut by markup.
            if _SHORTEST <= len(line) <= _LONGEST and not line[0].islower() and len(_WORD.findall(line)) >= 4:
                yield line
                found += 1
                if found >= MAX_SENTENCES:
                    return


def _beginning(document: Document) -> str:
    """The first 12,000 characters of text, whatever way the document gives it."""
    if document.chunks is not None and not document.text and not document.sections:
        texts = [chunk.text for chunk in document.chunks[:MAX_SENTENCES]]
    else:
        texts = [section.text for section in document.sections[:200]] or [document.text]
    parts, room = [], MAX_CHARACTERS
    for text in texts:
        parts.append(text[:room])
        room -= len(parts[-1]) + 2
        if room <= 0:
            break
    return "\n\n".join(parts)


def _paragraphs(text: str) -> Iterator[str]:
    """Running text, one paragraph on one line; code, tables, lists, directives and headings are left out."""
    fenced, lines = False, list[str]()
    for line in [*text.split("\n"), ""]:
        if _FENCE.match(line):
            fenced = not fenced
        boilerplate = fenced or _MARKUP.match(line) is not None or line.startswith(("    ", "\t"))
        if line.strip() and not boilerplate:
            lines.append(line.strip())
            continue
        if lines:
            yield _readable(" ".join(lines))
            lines = []


def _readable(paragraph: str) -> str:
    """Without the marks of links and roles; the words stay."""
    return _ROLE.sub(r"\1", _LINK.sub(r"\1", paragraph)).replace("``", "").replace("**", "")


def _first_words(document: Document) -> str:
    return " ".join(_beginning(document)[: 4 * MAX_SUMMARY].split())


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= MAX_SUMMARY:
        return line
    head = line[: MAX_SUMMARY - 1]
    return f"{head[: head.rfind(' ')] if ' ' in head[MAX_SUMMARY // 2 :] else head}…"
