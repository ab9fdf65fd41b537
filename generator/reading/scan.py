"""Some pages of a file, read: for each page in it its mark, and for each box its guesses and its picture.

PDFs and pictures are opened page by page, no larger than reading needs, in a process with limits
(`confined`); what it gives back is JSON. It knows where blanks are and nothing of what belongs into them.
"""

import base64
import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np

from generator.basics.errors import UserError
from generator.check.entries import is_pdf
from generator.output.page_marks import MARKS, Blank, Layout, PageMark
from generator.reading.boxes import boxes_of, crop_of, for_reader, settled_share
from generator.reading.network import read_boxes
from generator.reading.pages import FoundPage, Picture, find_pages, is_blank, placed_without_code, window

LARGEST_FILE: Final = 400_000_000  # bytes
_LARGEST_PICTURE: Final = 80_000_000  # pixels; a phone takes up to 50
_LONGEST: Final = 3_300  # pixels of a picture's longer side that are looked at
_MOST_PAGES: Final = 3_000
_PDF_LONGEST: Final = 2_480  # 210 dpi for A4
_BROKEN: Final = "ist beschädigt, leer oder mit einem Kennwort geschützt"


def may_have_pages(path: Path) -> bool:
    """Whether a file may have more than one page, and `count` is worth asking."""
    head = _head(path)
    return is_pdf(head) or head[:4] in (b"II*\0", b"MM\0*")


def count(content: bytes) -> int:
    """How many pages a file has; content: its path. UserError, beginning with a verb, if none can be read."""
    path = content.decode()
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
    """A page (counted from 0) in grey. UserError as `count`."""
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


_USUAL: Final = (210.0, 297.0)
_HEAD: Final = (20.0, 10.0, 165.0, 14.0)  # mm: where a pupil's name stands; corner and size
_INK: Final = 0.33  # of a pen's darkness
# A page is known by its frames: so many there are at least and tried at most, such a share of them is found,
# and so much less of any other page.
_FEWEST, _TRIED = 3, 14
_FITS, _CLEARLY = 0.8, 0.35


def read_pages(
    _: bytes, wanted: list[tuple[str, int]], known: Mapping[str, Any]
) -> list[list[dict[str, Any]] | str]:
    """For each page (file and number, from 0) the sheets' pages on it, or why it cannot be read.

    known: `karten` and `blaetter` of felder.json, the latter by sheet and number; `genannt`: one of them, if
    it was named.
    """
    sizes = {key[:4]: _paper(known["karten"][place]) for key, place in known["blaetter"].items()}
    read: list[list[dict[str, Any]] | str] = []
    for path, number in wanted:
        try:
            read.append(_read(opened(path, number), known, sizes))
        except UserError as error:
            read.append(str(error))
    return read


def _read(picture: Picture, known: Mapping[str, Any], sizes: dict[str, Any]) -> list[dict[str, Any]]:
    found = find_pages(picture, sizes, (_USUAL, MARKS))
    if not found:
        if is_blank(picture):
            return [{"fault": "blank"}]
        page = _by_boxes(picture, known)
        return [_read_page(picture, page, known) if page else {"fault": "unmarked"}]
    return [_read_page(picture, page, known) for page in found]


def _paper(card: Mapping[str, Any]) -> tuple[tuple[float, float], Layout]:
    width, height = card["format"]
    return (width, height), Layout(*card["marken"]) if "marken" in card else MARKS


def _by_boxes(picture: Picture, known: Mapping[str, Any]) -> FoundPage | None:
    """A page whose code is lost, of the sheet that was named: which of its pages has frames just there.

    None where none fits, or more than one.
    """
    key = known.get("genannt")
    if not key:
        return None
    card = known["karten"][known["blaetter"][key]]
    pages: dict[int, list[Blank]] = {}
    for each in card["felder"]:
        pages.setdefault(each[0], []).append(Blank(*each))
    fits: list[tuple[float, int, FoundPage]] = []
    for page in placed_without_code(picture, *_paper(card)):
        for number, blanks in pages.items():
            if len(blanks) >= _FEWEST:
                found = replace(page, mark=PageMark(key[:4], int(key[4:]), number))
                some = blanks[:: -(-len(blanks) // _TRIED)]
                fits.append((settled_share(picture, found, some), number, found))
    fits.sort(key=itemgetter(0), reverse=True)
    if not fits or fits[0][0] < _FITS or any(share > fits[0][0] - _CLEARLY for share, *_ in fits[1:]):
        return None
    return fits[0][2]


def _read_page(picture: Picture, page: FoundPage, known: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {"mark": list(page.mark), "fault": page.fault, "boxes": []}
    place = known["blaetter"].get(f"{page.mark.sheet}{page.mark.pupil:04}")
    if place is None:
        return said | {"fault": "foreign"}
    if page.fault:
        return said
    fields = known["karten"][place]["felder"]
    blanks = [Blank(*field) for field in fields if field[0] == page.mark.page]
    boxes = boxes_of(picture, page, blanks)
    guesses = read_boxes([for_reader(box) for box in boxes])
    for box, texts in zip(boxes, guesses, strict=True):
        said["boxes"].append(
            {
                "cell": box.blank.cell,
                "guesses": [list(guess) for guess in texts],
                "settled": box.settled,
                "ink": round(_ink_in(box.seen, box.at), 3),
                "crop": _png(crop_of(box)),
            }
        )
    if page.mark.page == 1 or blanks:
        said["head"] = _png(window(picture, page.map, _HEAD[:2], _HEAD[2:], 5).astype(np.uint8))
    return said


def _ink_in(seen: Picture, at: tuple[float, float, float, float]) -> float:
    """How much is written inside a box, in mm²."""
    fine = 8.0
    left, top, right, bottom = (round(side * fine) for side in at)
    edge = round(0.75 * fine)
    inner = seen[top + edge : bottom - edge, left + edge : right - edge]
    return float((inner > _INK).sum()) / fine**2 if inner.size else 0.0


def _png(grey: Picture) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(grey).quantize(16).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
