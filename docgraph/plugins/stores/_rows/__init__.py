"""What stores share: how things are kept as rows, whatever the database."""
