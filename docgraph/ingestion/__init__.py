"""From sources to whole documents in a store: loading, chunking, summarizing, linking, writing."""
