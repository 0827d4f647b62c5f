"""Documents that no longer hold, or never did: told at the document, filtered on request, moved by nothing."""
