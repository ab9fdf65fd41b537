"""The fields of a worksheet that was filled in and saved as PDF, for answers.py.

Read by the engine of a browser, which is made for files that want to do harm; no script in them is run. What
is larger than any sheet is not read to its end.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any, Final

from generator.basics.errors import UserError
from generator.sheet.fields import ORDERED

LARGEST_PDF: Final = 40_000_000
_MOST_PAGES: Final = 1_000
_MOST_FIELDS: Final = 100_000
_LONGEST: Final = 4_000  # signs of a name or an answer


def is_pdf(content: bytes) -> bool:
    """Whether a file says that it is a PDF, as viewers look for it."""
    return b"%PDF-" in content[:1024]


def fields_of(content: bytes, title: str) -> dict[str, str]:
    """Name of the field -> text, in the order of the pages. `title` names the file in a UserError."""
    import pypdfium2
    import pypdfium2.raw as raw

    fields: dict[str, str] = {}
    try:
        with contextlib.closing(pypdfium2.PdfDocument(content)) as document:
            document.init_forms()
            if document.formenv is None:
                raise _none_in(title)
            if len(document) > _MOST_PAGES:
                raise UserError(
                    f"Die Antwortdatei {title} hat {len(document)} Seiten; so viele hat kein Blatt."
                )
            for number in range(len(document)):
                with contextlib.closing(document[number]) as page:
                    for name, text in _of_page(raw, document.formenv.raw, page.raw):
                        name = name.partition(ORDERED)[0]  # a cell that is written twice counts once
                        fields[name] = fields.get(name) or text
                        if len(fields) > _MOST_FIELDS:
                            raise UserError(
                                f"Die Antwortdatei {title} hat mehr als {_MOST_FIELDS} Felder; so viele hat "
                                "kein Blatt."
                            )
    except pypdfium2.PdfiumError as error:
        raise UserError(
            f"Die Antwortdatei {title} ist kein vollständiges PDF oder mit einem Kennwort geschützt."
        ) from error
    if not fields:
        raise _none_in(title)
    return fields


def _none_in(title: str) -> UserError:
    return UserError(
        f"Die Antwortdatei {title} hat keine Felder; nötig ist das ausgefüllte "
        "„arbeitsblatt-ausfuellbar.pdf“, gespeichert und nicht neu gedruckt."
    )


def _of_page(raw: Any, form: Any, page: Any) -> Iterator[tuple[str, str]]:
    for place in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
        annotation = raw.FPDFPage_GetAnnot(page, place)
        if not annotation:
            continue
        if raw.FPDFAnnot_GetFormFieldType(form, annotation) == raw.FPDF_FORMFIELD_TEXTFIELD:
            name = _text(raw.FPDFAnnot_GetFormFieldName, form, annotation)
            if name:
                yield name, _text(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        raw.FPDFPage_CloseAnnot(annotation)


def _text(read: Any, form: Any, annotation: Any) -> str:
    """A text that PDFium gives in UTF-16, with its closing zero."""
    size = min(read(form, annotation, None, 0), 2 * _LONGEST + 2)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    if not size or read(form, annotation, buffer, size) > size:
        return ""
    return bytes(buffer)[: size - 2].decode("utf-16-le", errors="replace").rstrip("\0")
