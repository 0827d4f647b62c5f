"""From sources to whole documents in a store: loading, chunking, summarising, linking, writing."""
