"""Opens PDFs and pictures, page by page, no larger than reading needs. Runs in a process with limits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator.basics.errors import UserError
from generator.check.entries import is_pdf
from generator.reading.geometry import Picture

LARGEST_FILE: Final = 400_000_000  # bytes
_LARGEST_PICTURE: Final = 80_000_000  # pixels; a phone takes up to 50
_LONGEST: Final = 3_300  # pixels of a picture's longer side that are looked at
_MOST_PAGES: Final = 3_000
_PDF_LONGEST: Final = 2_480  # 210 dpi for A4
_BROKEN: Final = "ist beschädigt, leer oder mit einem Kennwort geschützt"


def may_have_pages(path: Path) -> bool:
    """Whether a file may have more than one page, and `pages_in` is worth asking."""
    head = _head(path)
    return is_pdf(head) or head[:4] in (b"II*\0", b"MM\0*")


def pages_in(path: str) -> int:
    """How many pages a file has. UserError, beginning with a verb, if it is none that can be read."""
    if is_pdf(_head(path)):
        with _document(path) as document:
            number = len(document)
    else:
        with _picture(path) as image:
            number = getattr(image, "n_frames", 1)
    if number > _MOST_PAGES:
        raise UserError(f"hat {number} Seiten; möglich sind {_MOST_PAGES} auf einmal")
    return number


def opened(path: str, number: int) -> Picture:
    """A page (counted from 0) in grey. UserError as `pages_in`."""
    if is_pdf(_head(path)):
        with _document(path) as document:
            return _rendered(document[number])
    with _picture(path) as image:
        image.seek(number)
        return _grey(image)


@contextlib.contextmanager
def _document(path: str) -> Iterator[Any]:
    import pypdfium2

    try:
        with contextlib.closing(pypdfium2.PdfDocument(path)) as document:
            yield document
    except pypdfium2.PdfiumError as error:
        raise UserError(_BROKEN) from error


def _head(path: str | Path) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(1024)


def _rendered(page: Any) -> Picture:
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

    for image in page.get_objects([FPDF_PAGEOBJ_IMAGE], max_depth=2):
        _check_size(*image.get_px_size())
    width, height = page.get_size()
    scale = _PDF_LONGEST / max(width, height, 1)
    bitmap = page.render(scale=scale, grayscale=True)
    return np.array(bitmap.to_numpy(), np.float32).reshape(bitmap.height, -1)[:, : bitmap.width]


@contextlib.contextmanager
def _picture(path: str) -> Iterator[Any]:
    import warnings

    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the size is looked at here, before anything is unpacked
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=("JPEG", "PNG", "TIFF", "WEBP", "BMP")) as image:
                yield image
    except UnidentifiedImageError as error:
        raise UserError("ist weder ein PDF noch ein Bild (möglich: JPG, PNG, TIFF, WebP, BMP)") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise UserError(_BROKEN) from error


def _grey(image: Any) -> Picture:
    from PIL import ImageOps

    _check_size(*image.size)
    image.draft("L", (_LONGEST, _LONGEST))
    shown = ImageOps.exif_transpose(image.convert("L"))
    if max(shown.size) > _LONGEST:
        shown.thumbnail((_LONGEST, _LONGEST))
    return np.asarray(shown, np.float32)


def _check_size(wide: int, high: int) -> None:
    most = _LARGEST_PICTURE // 1_000_000
    if wide * high > most * 1_000_000:
        raise UserError(f"hat {wide * high // 1_000_000} Megapixel; möglich sind {most}")
