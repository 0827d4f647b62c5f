"""Retrieval quality over public sets with questions: passages, documents, plain sentences; docs/quality.md."""
