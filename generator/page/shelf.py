"""Earlier sheets: a folder for each, under a name that the program makes; what there is to say lies beside.

While a sheet is made its folder says how far it is; an entry is written last, and without one a folder is
none of the shelf.
"""

import contextlib
import io
import json
import re
import secrets
import shutil
import tempfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.helpers import remove
from generator.basics.reading import reason

NOT_OURS: Final = "Diese Anfrage ist keine der Seite; bitte laden Sie sie neu."
ENTRY: Final = "blatt.json"
PROGRESS: Final = "fortschritt.json"
PICTURE: Final = "bild.png"
_MARK: Final = re.compile("[A-Z2-7]{4}")  # as `short_mark` writes it
_AS_LETTERS: Final = str.maketrans("01", "OI")  # a mark has none of these digits
_NAME: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{16}")
_FILE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,80}\.[a-z]{2,5}")
_UNFINISHED: Final = 86_400.0  # seconds; another program may be at work in the same folder
_OF_A_CLASS: Final = ("rechnungen", "einzeln")  # folders with files of each pupil


class AbsentError(KeyError):
    """What is asked for is not there, or another's; who asks is told so (404)."""


class Shelf:
    """The sheets of a folder. owner: whose they are, "" where one person uses the page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "blaetter"
        self._owners: dict[str, str] = {}  # of each name, which never changes

    def new(self, owner: str) -> tuple[str, Path]:
        """Name and folder of a sheet to be made. UserError where nothing can be written."""
        name = time.strftime("%Y%m%d-%H%M%S-") + secrets.token_hex(8)
        try:
            (self._folder / name).mkdir(parents=True, mode=0o700)
            (self._folder / name / "besitz").write_text(owner, encoding="utf-8")
        except OSError as error:
            raise UserError(
                f"In {quoted(self._folder)} lässt sich nichts ablegen: {reason(error)}; nötig ist ein "
                "anderer Ordner (--ablage)."
            ) from error
        return name, self._folder / name

    def entry(self, name: str, owner: str) -> dict[str, Any]:
        """What there is to say of a sheet. AbsentError for what is none, or another's."""
        folder = self._at(name, owner)
        try:
            said = json.loads((folder / ENTRY).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise AbsentError(name) from error
        day = f"{name[6:8]}.{name[4:6]}.{name[:4]}, {name[9:11]}:{name[11:13]}"
        return {"name": name, "am": day, **said}

    def entries(self, owner: str, most: int = 200) -> list[dict[str, Any]]:
        """The newest sheets of this owner, the newest first."""
        found: list[dict[str, Any]] = []
        for name in sorted((path.name for path in self._folder.glob("*-*-*")), reverse=True):
            if len(found) == most:
                break
            with contextlib.suppress(AbsentError):
                found.append(self.entry(name, owner))
        return found

    def file(self, name: str, file: str, owner: str) -> Path:
        """A file of a sheet that its entry names, or its picture. AbsentError for any other."""
        if not _FILE.fullmatch(file) or file not in (PICTURE, *self.entry(name, owner)["dateien"]):
            raise AbsentError(file)
        path = self._folder / name / file
        if path.is_symlink() or not path.is_file():
            raise AbsentError(file)
        return path

    def zipped(self, name: str, owner: str) -> bytes:
        """All files of a sheet, and of a class set those of every pupil."""
        entry, packed = self.entry(name, owner), io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in entry["dateien"]:
                archive.write(self.file(name, file, owner), file)
            for part in _OF_A_CLASS:
                for path in sorted((self._folder / name / part).glob("*.*")):
                    if path.is_file() and not path.is_symlink():
                        archive.write(path, f"{part}/{path.name}")
        return packed.getvalue()

    def delete(self, name: str, owner: str) -> None:
        """AbsentError for what is none, or another's."""
        remove(self._at(name, owner))
        self._owners.pop(name, None)

    def rename(self, name: str, owner: str, title: str) -> None:
        """What the teacher calls a sheet; "" for its sentence. AbsentError for what is none, or another's."""
        said = self.entry(name, owner)
        del said["name"], said["am"]
        _write(self._folder / name / ENTRY, {**said, "titel": title})

    def tidy(self) -> None:
        """Removes folders that an earlier run began and did not finish."""
        for path in self._folder.glob("*-*-*"):
            if not _NAME.fullmatch(path.name) or (path / ENTRY).is_file():
                continue
            if path.stat().st_mtime < time.time() - _UNFINISHED:
                shutil.rmtree(path, ignore_errors=True)

    def progress(self, name: str) -> dict[str, Any]:
        """How far the making is, {} where nothing is said yet."""
        try:
            said = json.loads((self._folder / name / PROGRESS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return said if isinstance(said, dict) else {}

    def _at(self, name: str, owner: str) -> Path:
        if _NAME.fullmatch(name) and name not in self._owners:
            with contextlib.suppress(OSError):
                self._owners[name] = (self._folder / name / "besitz").read_text(encoding="utf-8")
        if self._owners.get(name) != owner:
            raise AbsentError(name)
        return self._folder / name


def sheets_of(manifest: Path) -> list[dict[str, Any]]:
    """Number, name and mark of every sheet of a class set; of a team each its own, with the group."""
    known = json.loads(manifest.read_text(encoding="utf-8"))["varianten"]
    return [
        {"nummer": each["nummer"], "name": each["name"], "blatt": each["blatt"] + _of_group(each)}
        for each in known
    ]


def _of_group(variant: Mapping[str, Any]) -> str:
    return f"-{variant['gruppe']}" if variant.get("gruppe") else ""


def means(typed: str, mark: str) -> bool:
    """Whether who typed this may mean the sheet: by all of its mark, or without the group."""
    said, own, short = (_plain(each) for each in (typed, mark, mark.partition("-")[0]))
    return said in (own, short)


def is_mark(typed: str) -> bool:
    """Whether someone may have meant the mark of a sheet."""
    head, _, group = typed.strip().upper().partition("-")
    return bool(_MARK.fullmatch(head.translate(_AS_LETTERS))) and (not group or group.isdigit())


def _plain(mark: str) -> str:
    return re.sub("[^A-Z2-9]", "", mark.upper().translate(_AS_LETTERS))


def write_entry(folder: Path, **said: Any) -> None:
    """Notes that the sheet is finished, with what the page says of it."""
    _write(folder / ENTRY, {"wann": int(time.time()), **said})
    (folder / PROGRESS).unlink(missing_ok=True)


def write_progress(folder: Path, what: str, number: int | None = None, of: int | None = None) -> None:
    """What is being done in the folder."""
    with contextlib.suppress(OSError):  # it is only said
        _write(folder / PROGRESS, {"schritt": what, "nummer": number, "von": of})


def _write(path: Path, said: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as aside:
        json.dump(said, aside, ensure_ascii=False)
    Path(aside.name).replace(path)
