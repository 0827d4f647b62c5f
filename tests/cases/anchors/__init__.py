"""Links that name a section of the document that they lead to."""
