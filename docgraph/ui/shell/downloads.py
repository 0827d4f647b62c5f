"""Hands out backups that were made in the Library, from their files: a large one is never held in memory."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from docgraph.ui.parts.backups import PATH, shelf

GONE = "This backup is not here any more: make another one in the Library.\n"


def backup(request: Request) -> Response:
    """The file of a backup, to be saved; 404 once it is gone, and for every other word."""
    found = shelf().get(request.path_params["word"])
    if found is None or not found.file.is_file():
        return PlainTextResponse(GONE, status_code=404)
    kept = {"cache-control": "no-store"}
    return FileResponse(found.file, media_type="application/zip", filename=found.name, headers=kept)


def route() -> Route:
    """The route under which they are fetched."""
    return Route(f"{PATH}/{{word}}", backup, methods=["GET"])
