"""Files of relationships: read, compared with what is stored, written."""
