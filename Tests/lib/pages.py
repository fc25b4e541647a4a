"""The files of the web pages: each lies in the folder `Pages` of the module whose routes it uses."""

import functools
import posixpath

from .repository import ROOT

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".png": "image/png",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}


@functools.cache
def page_folders():
    """Every folder of pages; the server joins them into one."""
    return sorted(ROOT.glob("Sources/**/Pages"))


def page_file(served):
    """The file behind the path that a browser asks for, or None; as the server, `/` and paths without an ending name
    HTML."""
    name = served.removeprefix("/") or "index.html"
    if posixpath.normpath(name) != name or name.startswith((".", "/")):
        return None
    names = [name] if "." in posixpath.basename(name) else [f"{name}.html"]
    return next((folder / each for folder in page_folders() for each in names if (folder / each).is_file()), None)
