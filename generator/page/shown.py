"""A template's name and what it needs go in; the page for this session comes out."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from generator.page import answers
from generator.page.guard import csrf_of
from generator.page.office import client_of, office_of


def shown(request: Request, template: str, *, here: str, **context: Any) -> Response:
    """here: which entry of the navigation this is."""
    settings = office_of(request).settings
    csrf = csrf_of(settings, client_of(request))
    return answers.page(template, prefix=settings.prefix, csrf=csrf, here=here, **context)
