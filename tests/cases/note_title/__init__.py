"""What a document is called that has no title of its own."""
