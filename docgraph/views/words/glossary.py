"""The terms that docgraph uses, one sentence each: the source of the tooltips and of docs/glossary.md."""

from __future__ import annotations

TERMS = {
    "answered": "The passages probably contain the answer, because the confidence reaches the threshold.",
    "best passage": "The passage of a document that is most similar to the question.",
    "budget": "The maximum number of tokens in all passages of one answer.",
    "checks": "Tests that every result passes: unchanged scores, respected limits, no document from outside "
    "the plan, the same result when repeated.",
    "chunk": "A piece of a document as it is stored and searched, called a passage on screens.",
    "confidence": "A number from 0 to 1 that estimates how likely the passages are to answer the question.",
    "context": "The documents and passages from which the question is answered.",
    "corpus": "All documents of a workspace.",
    "corpus revision": "A fingerprint of the documents and relationships behind a result.",
    "cutoff": "The rule that leaves out low-ranked matches before the limit is reached.",
    "document limit": "The maximum number of documents in a plan, matches and related documents together.",
    "embedding": "A list of numbers that represents the meaning of a text, so that similar texts have similar numbers.",
    "embedder": "The model that turns text into embeddings.",
    "evidence": "A passage that a person marked as answering a question.",
    "exact search": "A search that compares the question with every passage and estimates nothing.",
    "execution": "The second step, which retrieves passages from the documents in the plan only.",
    "expansion": "Adding the documents that the matches link to, one hop along outgoing relationships.",
    "expanded document": "A document added to the plan by a relationship, called a related document on screens.",
    "fan-out": "The number of relationships followed from one match.",
    "finding": "A possible error in the documents or relationships, reported by a check.",
    "follow-up": "A question that depends on an earlier one in the same conversation.",
    "full-text search": "A search for documents by the words of the question, as in PostgreSQL.",
    "graph": "The documents of a plan and the relationships between them.",
    "hop": "One step along a relationship, of which a plan takes at most one from each match.",
    "judgment": "A person's decision whether a document or passage answers a question, helps, or does not.",
    "limit": "The maximum number of something in a plan, so that a limit of 2 leaves out the third.",
    "link": "A reference to another document, found in a document's text.",
    "match": "A document found by searching for the question, before any relationship is followed (a seed).",
    "next action": "What to do with the result: use it, ask the user to clarify, fall back to another "
    "search, or hand over.",
    "outgoing relationship": "A relationship that starts at the document.",
    "packet": "The result of one retrieval as other systems receive it, with passages, confidence and next action.",
    "passage": "A piece of a document that is read to answer a question (a chunk).",
    "plan": "The documents to read for a question, with the reason for each one and for everything left out.",
    "planning": "The first step, which chooses the documents to read and records why.",
    "position": "The rank of a document in a plan or a list of results, starting at 1.",
    "provider": "A source that is searched for a question: the corpus itself or a service of your own.",
    "preview": "What a change or an import would do, shown before anything is saved.",
    "query set": "A list of questions, with the documents that should be found for each one.",
    "read-only": "Opening or searching it never changes the stored data.",
    "related document": "A document that is in the plan because a match links to it, not because of its own score.",
    "related-document limit": "The maximum number of related documents in a plan.",
    "relationship": "A stored, directed statement about two documents, such as “design explains decision”.",
    "relationship type": "The kind of a relationship, such as explains, decision_for or references.",
    "reranker": "A model that reads the question together with each passage and reorders the passages.",
    "reviewed": "Confirmed by a person.",
    "saved run": "A question saved with its result, so that you can compare it with later results.",
    "score": "How similar a document or passage is to the question, which relationships never change.",
    "seed": "A document found by search, called a match on screens.",
    "similarity": "The cosine of the angle between two embeddings: 1 means the same direction, 0 unrelated.",
    "suggestion": "A relationship that the texts point to but nobody has stored.",
    "suppression rule": "A rule that hides all findings of one kind.",
    "threshold": "The confidence at which a question counts as answered.",
    "token": "A word or part of a word, the unit in which language models measure text.",
    "trade-off": "The documents that are left out to make room for related ones.",
    "two-stage search": "A fast search for a shortlist, followed by an exact comparison of everything on it "
    "(rescoring).",
    "with relationships": "The plan includes documents that its matches link to (MS5 in the specification).",
    "without relationships": "The same question with relationships switched off (MS3 in the specification).",
    "workspace": "A separate corpus with its own relationships, questions and history.",
}
"""Term in lower case, singular → one sentence with a full stop, without marks of Markdown."""

_HEAD = """# Glossary

The glossary defines the terms of the dashboard, the command line and the API. For example, a *match* in the dashboard
is a *seed* in the API and in the JSON of a plan: a document found by search, before any relationship is followed.

The dashboard shows the same definitions as tooltips. `python -m docgraph.views.words.glossary > docs/glossary.md`
writes this page.

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
