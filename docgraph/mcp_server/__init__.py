"""The Model Context Protocol over a workspace: tools and resources for assistants, by stdio or HTTP.

Import its modules where they are used: they load the package ``mcp``, which nothing else of docgraph needs.
"""
