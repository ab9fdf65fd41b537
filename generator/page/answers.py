"""What a route says goes in; a page of our templates, JSON, or a refusal in one German sentence comes out."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from generator.basics import fonts
from generator.page.office import client_of, office_of
from generator.version import VERSION

API: Final = ("/api/", "/stunde/api/")


@cache
def environment() -> Environment:
    """The page's templates: everything is escaped, undefined names are errors."""
    return Environment(
        loader=FileSystemLoader(folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def folder() -> Path:
    """templates/page, in the repository or in the installed wheel."""
    return Path(fonts.folder().parent / "page")


def page(name: str, *, prefix: str, csrf: str = "", status: int = 200, **context: Any) -> Response:
    """A page; prefix: before every path in it. csrf: what its scripts send along."""
    template = environment().get_template(name)
    context.setdefault("shared", False)
    return HTMLResponse(template.render(base=prefix, csrf=csrf, version=VERSION, **context), status)


def shown(request: Request, template: str, *, here: str, **context: Any) -> Response:
    """A page for this session. here: which entry of the navigation this is."""
    settings = office_of(request).settings
    csrf = settings.csrf(client_of(request))
    return page(template, prefix=settings.prefix, csrf=csrf, here=here, shared=settings.shared, **context)


def refusal(request: Request, status: int, sentence: str, prefix: str = "") -> Response:
    """One sentence: as JSON for scripts, as a page for people."""
    if request.scope["path"].startswith(API):
        return JSONResponse({"fehler": sentence}, status)
    return page("refusal.html.j2", prefix=prefix, status=status, sentence=sentence, here="")
