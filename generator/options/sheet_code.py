"""What makes a sheet again: its command line, and the code that stands on it, with the way back.

A code holds the sentence, the seed and every option that is not at its default, and no name of a pupil or a
file. Where numbers come from a file it holds their hash: the file is needed as well. It is written in letters
and digits that nobody confuses, has a check against slips, and says which version of the program made it.
"""

import base64
import hashlib
import json
import re
import shlex
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.options.declaration import LEARNT, LEARNT_IN_CODES, SELECTION, WEIGHT_STYLES, Option
from generator.options.option_kinds import FilePath, Switch, Temperatures
from generator.options.options import TABLE, Options
from generator.options.sentence import ended, texts_in_file
from generator.version import VERSION


def command_again(options: Options) -> str:
    """papierformer blatt "…" with every option that is not at its default; of files only the name.

    Numbers of one's own in a file are needed as well: the file is named, not repeated.
    """
    words = ["papierformer", "blatt", _quoted(options.satz)]
    if options.vorlage is not None:
        words += ["--vorlage", _quoted(options.vorlage.name)]
    for option, value in _not_at_default(options, gewichte=LEARNT):
        words += _command_words(option, value)
    return " ".join(words)


def _not_at_default(options: Options, **others: Any) -> Iterator[tuple[Option, Any]]:
    """The options of the sheet that are not as they would be if they were not named, with their values.

    others: what counts as the default instead.
    """
    defaults = {
        "beispiel": Options(satz=options.satz).beispiel,
        "uebung": replace(options, uebung=None).uebung,  # type: ignore[arg-type]
        **others,
    }
    for option in TABLE:
        value = getattr(options, option.name)
        repeated = option.of_sheet and option.name != "vorlage"
        if repeated and value != defaults.get(option.name, option.default):
            yield option, value


def _command_words(option: Option, value: Any) -> list[str]:
    if isinstance(option.kind, Switch):
        return [option.flag if value else str(option.off_flag)]
    plain = option.kind.plain(value)
    if isinstance(option.kind, Temperatures):
        return [word for t in plain for word in (option.flag, f"{t:g}".replace(".", ","))]
    if isinstance(plain, list):
        plain = ",".join(map(str, plain))
    return [option.flag, _quoted(str(plain))]


def _quoted(text: str) -> str:
    """In double quotes, which every shell takes, unless signs in it mean something to a shell."""
    if re.fullmatch(r"[\w.,:+/-]+", text):
        return text
    return shlex.quote(text) if re.search(r"[\"$`\\\\!%]", text) else f'"{text}"'


ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no 0 and O, no 1 and I
SHORTEST: Final = 10  # letters; what is shorter is the name of a sheet, not its code
_CHECK: Final = 3
_LONGEST_TEXT: Final = 20_000
_GROUP: Final = 5
_OF_SHEET: Final = tuple(option for option in TABLE if option.of_sheet)
_FILES: Final = tuple(option.name for option in _OF_SHEET if isinstance(option.kind, FilePath))
# What codes often hold. It is part of the format: a change makes all earlier codes unreadable.
_OFTEN: Final = (
    '"dezimalzeichen":"punkt","nachkommastellen":"schrift":"temperatur":[0.5,1.0,2.0]"lernen":"ausgabe"'
    '"attention""alles""zielsatz":"The ""endezeichen":"laenge":"topk":"topp":"richtig":"lernrate":'
    '"gruppen":"heads""bild":false"zeit":45"maske":false"skalierung":false"positionen":false"bloecke":'
    '"ffn":"heads":3"dimension":6"gewichte":"dezimal""ganzzahlig""gelernt""beispiel":"uebung":[3,4]'
    '"stufe":1"stationen":["1","2","3","4a","4b","5","6","7","8","9","10","11","S"]}]'
    '["Eine Ein Das Der Die  auf dem  auf der  den  einen  und  ist  im Garten sitzt liegt schläft jagt '
    'heute rote alte Hund Katze Matte",0,{}]'
).encode()


@dataclass(frozen=True)
class Decoded:
    """What a code says. same_version: whether this version of the program made it. group: of a jigsaw, whose
    person in a team it means; 0 for the whole sheet.
    """

    options: Options
    same_version: bool
    group: int = 0


def sheet_code(options: Options) -> str:
    """The code of a sheet, without gaps. UserError where a file of its numbers cannot be read."""
    said = {
        option.name: option.kind.plain(value)
        for option, value in _not_at_default(options, gewichte=SELECTION)
        if option.name != "startwert" and not isinstance(value, Path)
    }
    if options.gewichte == LEARNT:
        said["gewichte"] = LEARNT_IN_CODES
    contents: list[Any] = [options.satz, options.startwert, said]
    if needs_files(options):
        contents.append(_hash_of_numbers(options))
    text = json.dumps(contents, ensure_ascii=False, separators=(",", ":")).encode()
    packing = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _OFTEN)
    payload = _version_mark() + packing.compress(text) + packing.flush()
    return _letters(int.from_bytes(payload, "big"), -(-len(payload) * 8 // 5)) + _check_letters(payload)


def read_code(text: str, files: Mapping[str, Any] = {}) -> Decoded:
    """The options of a code as a person types it; files: the options that name files of numbers.

    Behind that of a team stands a group: ABCDE…-2. UserError where a letter is wrong, where it is the name of
    a sheet, and where a file is needed or is another one.
    """
    if re.fullmatch(r"[A-Z2-7]{4}([ –-]?\d)?", text.strip().upper()):
        raise UserError(
            f"{quoted(text)} ist der kurze Name eines Blatts; nötig ist der lange Code. Zu einem Klassensatz "
            f"steht er in klassensatz.json; dort ist die Lösung in loesungen.pdf, und „pruefe“ nimmt den "
            "kurzen Namen, wenn davor der Ordner des Klassensatzes steht."
        )
    whole, _, group = text.strip().rpartition("-")
    if re.fullmatch(r"\d{1,2}", group):
        with suppress(UserError):
            found = _read(whole, files)
            if found.options.gruppen:
                return replace(found, group=int(group))
    return _read(text, files)


def _read(text: str, files: Mapping[str, Any]) -> Decoded:
    code = "".join(sign for sign in text.upper() if sign not in " -–\u00a0\n\t")
    wrong = next((sign for sign in code if sign not in ALPHABET), "")
    if wrong:
        raise UserError(
            f"Der Code {quoted(text)} enthält {quoted(wrong)}; in einem Code stehen nur die Buchstaben "
            "A bis Z ohne I und O und die Ziffern 2 bis 9."
        )
    size = (len(code) - _CHECK) * 5 // 8
    number = 0
    for letter in code[:-_CHECK]:
        number = number * 32 + ALPHABET.index(letter)
    try:
        payload = number.to_bytes(max(size, 0), "big")
        if len(code) < SHORTEST or _check_letters(payload) != code[-_CHECK:]:
            raise ValueError
        options = _options(_unpacked(payload[1:]), files)
    except (OverflowError, ValueError, LookupError, TypeError, zlib.error, RecursionError) as error:
        raise UserError(
            f"Der Code {quoted(text)} stimmt so nicht; bitte Zeichen für Zeichen mit dem Blatt vergleichen."
        ) from error
    return Decoded(options, payload[:1] == _version_mark())


def looks_like_code(text: str) -> bool:
    """Whether someone may have meant a code, rather than the name of a file."""
    return re.fullmatch(r"[0-9A-Za-z]+(?:[ –-]+[0-9A-Za-z]+)*", text.strip()) is not None


def in_groups(code: str) -> str:
    """The code as it is printed: in groups of five."""
    return " ".join(code[i : i + _GROUP] for i in range(0, len(code), _GROUP))


def short_mark(options: Options) -> str:
    """Four letters that tell apart sheets of other sentences, options or numbers; the name of a sheet."""
    said: dict[str, Any] = {"satz": options.satz, **options.resolved()}
    if needs_files(options):  # what stands in the files counts, not what they are called
        said |= {name: None for name in _FILES if isinstance(getattr(options, name), Path)}
        said["zahlen"] = _hash_of_numbers(options)
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).digest()
    return base64.b32encode(digest)[:4].decode()


def needs_files(options: Options) -> bool:
    """Whether numbers of the sheet may come from a file."""
    return any(isinstance(getattr(options, name), Path) for name in _FILES)


def _unpacked(packed: bytes) -> list[Any]:
    unpacking = zlib.decompressobj(-15, _OFTEN)
    contents = json.loads(unpacking.decompress(packed, _LONGEST_TEXT).decode())
    if not isinstance(contents, list) or not 3 <= len(contents) <= 4 or not isinstance(contents[2], dict):
        raise ValueError("no code of ours")
    return contents


def _options(contents: list[Any], files: Mapping[str, Any]) -> Options:
    sentence, seed, said, *given = contents
    known = {option.name for option in _OF_SHEET} - {*_FILES} | {"gewichte"}
    style = said.get("gewichte", SELECTION)
    if said.keys() - known or not (style in WEIGHT_STYLES or str(style).startswith(LEARNT)):
        raise ValueError("an option that no code holds")
    if style not in (*WEIGHT_STYLES, LEARNT_IN_CODES):
        raise UserError(
            f"Das Modell dieses Blatts hat mit einer anderen Fassung als {VERSION} gelernt, und nur sie kann "
            "das wiederholen; den Schlüssel gibt es hier nur aus der rechnung.json des Blatts."
        )
    named = {name: files[name] for name in _FILES if files.get(name) is not None}
    if given and not named:
        raise UserError(
            "Die Zahlen dieses Blatts kommen aus einer Datei; bitte geben Sie sie an, so wie beim Blatt: "
            "mit --gewichte, --embeddings, --texte oder --vorlage."
        )
    if named and not given:
        raise UserError(f"Zu diesem Code gehört keine Zahlendatei; bitte --{next(iter(named))} weglassen.")
    own = {"satz": sentence, "startwert": seed} | said
    if not {"gewichte", "vorlage"} & named.keys():  # no file says where its numbers come from
        own["gewichte"] = LEARNT if style == LEARNT_IN_CODES else style
    if named.get("vorlage") is not None:  # of the template the numbers alone: the options stand in the code
        named["vorlage"] = Path(str(named["vorlage"]))
    options = Options(**own | named)
    if given and _hash_of_numbers(options) != given[0]:
        raise UserError(
            "Die angegebene Zahlendatei ist nicht die des Blatts: Darin stehen jetzt andere Zahlen."
        )
    return options


def _hash_of_numbers(options: Options) -> str:
    """A hash of the numbers and texts in the teacher's files, whatever the files are called."""
    from generator.options.numbers_file import read_given  # it brings NumPy, and most codes need no file

    read = _plain(read_given(options))
    texts = (texts_in_file(options.texte, ended(options.source_tokens)),) if options.texte else ()
    digest = hashlib.sha256(repr((read, texts) if texts else read).encode()).digest()
    return _letters(int.from_bytes(digest[:5], "big"), 8)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    return value.tolist() if hasattr(value, "tolist") else value


def _version_mark() -> bytes:
    return hashlib.sha256(VERSION.encode()).digest()[:1]


def _check_letters(payload: bytes) -> str:
    return _letters(zlib.crc32(payload) & 0x7FFF, _CHECK)


def _letters(number: int, count: int) -> str:
    """The lowest 5 · count bits of a number as letters."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(count)))
