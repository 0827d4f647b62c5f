"""The terms that docgraph uses, one sentence each: the source of the tooltips and of docs/glossary.md."""

from __future__ import annotations

TERMS = {
    "answered": "The passages that were read probably hold the answer: the confidence is at least the threshold.",
    "best passage": "The passage of a document that is most similar to the question.",
    "budget": "The number of tokens that the passages of one answer may have together.",
    "checks": "What every result is tested for: scores unchanged, limits kept, nothing from outside the plan, "
    "the same answer when repeated.",
    "chunk": "A piece of a document as it is stored and searched; on screens it is called a passage.",
    "confidence": "A number from 0 to 1 that says how likely the passages answer the question.",
    "context": "The documents and passages that are handed on to answer the question.",
    "corpus": "All documents of a workspace.",
    "corpus revision": "A fingerprint of the documents and relationships that a result was made from.",
    "cutoff": "The rule by which low-ranked matches are left out before the limit is reached.",
    "document limit": "The most documents that a plan may hold, matches and related documents together.",
    "embedding": "The list of numbers that stands for the meaning of a text; similar texts have similar numbers.",
    "embedder": "The model that turns a text into its embedding.",
    "evidence": "A passage that a person marked as answering a question.",
    "exact search": "Every passage is compared with the question; nothing is estimated.",
    "execution": "The second step: it searches passages only in the documents of the plan.",
    "expansion": "Adding the documents that the matches link to, one hop along outgoing relationships.",
    "expanded document": "A document that a relationship added to the plan; on screens it is a related document.",
    "fan-out": "The number of relationships that are followed from one match.",
    "finding": "A possible error in the documents or relationships, found by a check.",
    "follow-up": "A question that depends on an earlier one in the same conversation.",
    "full-text search": "Finding documents by the words of the question, as PostgreSQL does.",
    "graph": "The documents of a plan and the relationships between them.",
    "hop": "One step along a relationship; a plan takes exactly one.",
    "judgment": "A person's mark on a document or passage: it answers, it helps, or it does not.",
    "limit": "The most that a plan takes of something; a limit of 2 leaves the third one out.",
    "link": "A reference from one document to another that was found in its text.",
    "match": "A document that was found for the question by search, before any relationship is followed (a seed).",
    "next action": "What the result suggests: answer, ask the user, search more widely, or stop.",
    "outgoing relationship": "A relationship that starts at the document.",
    "packet": "The result of one retrieval as other systems receive it: plan, passages, confidence, next action.",
    "passage": "A piece of a document that is read for an answer (a chunk).",
    "plan": "The documents that may be read for a question, with the reason for each and everything left out.",
    "planning": "The first step: it decides which documents may be read, and why.",
    "position": "The rank of a document in the plan or in a list of results; 1 is first.",
    "provider": "A source of documents that is asked for a question: the corpus itself or a service of your own.",
    "preview": "What a change or an import would do, shown before anything is written.",
    "query set": "A list of questions that are asked together, with the documents that should be found.",
    "read-only": "Nothing that is opened or asked changes the stored data.",
    "related document": "A document that is in the plan because a match links to it, not because of its own score.",
    "related-document limit": "The most related documents that a plan may hold.",
    "relationship": "A stored, directed statement about two documents, such as “design explains decision”.",
    "relationship type": "The kind of a relationship, such as explains, decided_for or references.",
    "reranker": "A model that reads the question with each passage and puts the passages into a new order.",
    "reviewed": "A relationship that a person has confirmed.",
    "saved run": "A question with its result, kept so that it can be compared with later results.",
    "score": "How similar a document or passage is to the question; relationships never change it.",
    "seed": "A document that was found by search; on screens it is called a match.",
    "similarity": "The cosine of the angle between two embeddings: 1 is the same direction, 0 is unrelated.",
    "suggestion": "A relationship that the texts hint at and that is not stored yet.",
    "suppression rule": "A rule that keeps findings of one kind from being listed.",
    "threshold": "The confidence from which a question counts as answered.",
    "token": "A word or part of a word, as language models count text.",
    "trade-off": "The documents that a plan with relationships leaves out to make room for related ones.",
    "two-stage search": "A fast search chooses candidates, which are then compared exactly (rescoring).",
    "with relationships": "The plan follows relationships from its matches (MS5 in the specification).",
    "without relationships": "The same question with relationships switched off (MS3 in the specification).",
    "workspace": "A separate corpus with its own relationships, questions and history.",
}
"""Term in lower case, singular → one sentence with a full stop, without marks of Markdown."""

_HEAD = """# Glossary

What the words on the screens, in the command line and in the API mean. For example, a *match* in the dashboard is a
*seed* in the API and in a plan's JSON: a document found by search, before any relationship is followed.

The dashboard shows the same sentences when you point at a term. This page is written by
`python -m docgraph.views.words.glossary > docs/glossary.md`.

| term | meaning |
|---|---|"""


def definition(term: str) -> str:
    """The sentence for ``term``; raises KeyError for one that is not in the glossary."""
    return TERMS[term]


def as_page() -> str:
    """The text of docs/glossary.md (Markdown, its last line with an end): every term in alphabetical order."""
    rows = (f"| {term} | {TERMS[term]} |" for term in sorted(TERMS))
    return "\n".join((_HEAD, *rows, ""))


if __name__ == "__main__":
    print(as_page(), end="")
