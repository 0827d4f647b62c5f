"""An independent count of the relationships that a folder of documents states, to hold imports against.

Nothing under ``tests.referee.count`` knows docgraph: it reads files by other libraries and by the rules that the tools
of the folder document themselves. ``compare`` imports the same folder with docgraph and lists every difference.
"""
