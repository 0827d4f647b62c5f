"""The Python API over HTTP, with JSON in and out, and an OpenAPI document made from the same models.

Import its modules where they are used: they load Starlette, and ``serving`` loads the server.
"""
