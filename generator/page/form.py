"""The declarations of the options go in; the fields of the page's form come out, and what they send is read.

Nothing is checked here: `Options` says what goes together, and its sentences name options by their flags.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.numbers import about
from generator.basics.reading import text_of
from generator.options.course import COURSE
from generator.options.declaration import FORMATS, GROUP, KEY_ENDING, Format, Option
from generator.options.option_kinds import (
    HEADS,
    TOKENS,
    FilePath,
    Groups,
    Names,
    OneNumberOf,
    OneOf,
    Switch,
    Whole,
)
from generator.options.options import TABLE
from generator.options.sentence import TokenPlaces
from generator.page.shelf import NOT_OURS

# Files and folders are the program's own; numbers and texts of one's own are typed into the page.
NOT_ON_THE_PAGE: Final = ("vorlage", "embeddings", "ausgabe", "rechner")
LISTED: Final = "Namen"  # what a list of names is called that has no file
TEXTS: Final = "texte"
MOST_PUPILS: Final = 200  # in a class set of the page
_MOST_GROUPS: Final = 10
NUMBERS: Final = "zahlen"  # the part of the form with numbers of one's own
_OWN_NUMBERS: Final = re.compile(r"^--vorlage „vorlage\.toml“: ")
_MATRIX: Final = re.compile(r"\b((?:block\d+\.)?(?:(?:head|norm|ffn)\d*\.)?)(W_[A-Z0-9]|b_\d|gamma|beta)\b")
_FEW: Final = 4  # so many whole numbers are chosen from, more are typed
_LONGEST: Final = 4000


@dataclass(frozen=True)
class FormField:
    """One option on the page.

    widget: switch, choice, some (of a list), word, words, whole, lines or text. values: (value, label) to
    choose from. standard: the default as it is typed, "" where it follows from other options.
    """

    name: str
    label: str
    help: str
    widget: str
    standard: str
    values: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class Group:
    """Fields that belong together for a teacher; says: what is in it, in some words."""

    name: str
    says: str
    fields: tuple[FormField, ...]


@cache
def groups() -> tuple[Group, ...]:
    """All options in the order of templates/page/options.toml; what it does not know yet comes last."""
    texts = _texts()
    by_name = {option.name: option for option in TABLE if option.name not in NOT_ON_THE_PAGE}
    names = [[name for name in group["optionen"] if name in by_name] for group in texts["gruppen"]]
    known = {name for own in names for name in own}
    names[-1].extend(name for name in by_name if name not in known)
    return tuple(
        Group(group["name"], group["sagt"], tuple(_field(by_name[name]) for name in own))
        for group, own in zip(texts["gruppen"], names, strict=True)
    )


def ready_lessons() -> list[dict[str, Any]]:
    """Lessons to start from: a name, and the options that make it; the first is what a new page shows."""
    return list(_texts()["vorlagen"])


def good_sentences() -> list[str]:
    """Sentences of which a model is trained within seconds."""
    return list(_texts()["saetze"])


def options_of(sent: Any) -> dict[str, Any]:
    """What the form sends, as options by name. UserError for what no form of ours sends."""
    if not isinstance(sent, Mapping) or not isinstance(sent.get("satz", ""), str):
        raise UserError(NOT_OURS)
    fields = {each.name: each for group in groups() for each in group.fields if each.name != TEXTS}
    wanted: dict[str, Any] = {"satz": sent.get("satz", "")}
    for name, value in sent.items():
        if name not in fields:
            continue
        if isinstance(value, str | list) and len(value) > _LONGEST:
            raise UserError("Das ist zu lang für ein Feld der Seite.")
        each = fields[name]
        if each.widget == "choice" and value not in [known for known, _ in each.values]:
            raise UserError(f"{each.label}: Bitte wählen Sie einen der angebotenen Werte.")
        wanted[name] = value
    return wanted


def number_of_pupils(value: Any) -> int:
    """UserError where it is none."""
    return Whole(1, MOST_PUPILS).read("--anzahl", value)


def in_words(sentence: str) -> str:
    """A sentence about options as a page says it: „Attention-Heads“ 3 for --heads 3."""
    said = re.sub("„(--[^“]*)“", r"\1", _OWN_NUMBERS.sub("", sentence))
    said = said.replace("--texte mit einer Datei, in der sie stehen", "--texte")  # here they are typed
    said = said.replace(
        "mehrere Temperaturen je mit eigenem --temperatur", "mehrere mit Semikolon dazwischen"
    )
    said = re.sub(r"\b1 Token, Satzzeichen mitgezählt\b", "1 Wort oder Satzzeichen", said)
    said = re.sub(r"\b(\d+) Token, Satzzeichen mitgezählt\b", r"\1 Wörter und Satzzeichen", said)
    said = re.sub(r"\b1 Token\b", "1 Wort", re.sub(r"\b(\d\d+|[2-9]|die) Token\b", r"\1 Wörter", said))
    said = re.sub(r"(--[a-z-]+) ([a-z]+)\b", _with_value, said)
    said = re.sub(r"\bwortvektoren\.([^\s:;,]+)", r"Der Wortvektor von „\1“", said)
    said = _MATRIX.sub(lambda found: f"Die Matrix {found[2]}{_where(found[1])}", said)
    return re.sub(r"--(ohne-)?([a-z][a-z-]*)", _labelled, said)


def field_of(sentence: str) -> str:
    """Which field of the page a sentence about options speaks of; "" where it names none."""
    if _OWN_NUMBERS.search(sentence) or "wortvektoren." in sentence or _MATRIX.search(sentence):
        return NUMBERS
    known = {"anzahl", *(each.name for group in groups() for each in group.fields)}
    flags = (found[2].replace("-", "_") for found in re.finditer(r"--(ohne-)?([a-z][a-z-]*)", sentence))
    return next((name for name in flags if name in known), "")


def level_name(level: int) -> str:
    """„viel“ for --stufe 1."""
    return quoted(_texts()["stufen"][str(level)])


def value_name(value: str) -> str:
    return str(_texts()["werte"].get(value, value))


def _where(path: str) -> str:
    """ "block1.head2." is „ von Head 2“; "" for what there is once."""
    words = {"head": "Head", "norm": "Norm", "ffn": "Feed-Forward-Netz"}
    said = [f"{words[kind]} {number}".rstrip() for kind, number in re.findall(r"(head|norm|ffn)(\d*)", path)]
    return f" ({said[-1]})" if said else ""


def labelled(entry: dict[str, Any]) -> dict[str, Any]:
    """A sheet's entry with its time in words and what its files are called: „Lösung“ for loesung.pdf.

    What is handed out comes first, whatever was printed first.
    """
    time = {"dauer": about(entry["minuten"])} if "minuten" in entry else {}
    return {**entry, **time, "dateien": list(map(_labelled_file, sorted(entry["dateien"], key=_order)))}


def _order(file: str) -> tuple[int, int, str]:
    stem, further = _stem(file)
    order = [*_texts()["dateien"]]
    if stem not in order:
        stem = "loesung" if stem.endswith(KEY_ENDING) else "gruppe" if stem.startswith(GROUP) else stem
    place = order.index(stem) if stem in order else len(order)
    return 0 if file.endswith(".pdf") else 1 if further else 2, place, file


def _stem(file: str) -> tuple[str, Format | None]:
    """The name without its ending, and the further format that it is in."""
    fitting = (each for each in FORMATS.values() if file.endswith(each.ending))
    further = max(fitting, key=lambda each: len(each.ending), default=None)  # of two that fit the longer one
    return file.removesuffix(further.ending) if further else file.partition(".")[0], further


def _labelled_file(file: str) -> dict[str, Any]:
    stem, further = _stem(file)
    ending = file.partition(".")[2]
    kind = further.says if further else _texts()["endungen"].get(ending, ending)
    return {"datei": file, "name": _named_file(stem), "art": kind, "dazu": bool(further)}


def _named_file(stem: str) -> str:
    """„Lösung von Gruppe 1“ for gruppe-1-loesung."""
    known = _texts()["dateien"]
    of = stem.removesuffix(KEY_ENDING)
    if stem not in known and of != stem:
        return f"{known['loesung']} von {_named_file(of)}"
    return str(known.get(stem) or stem.replace("-", " ").capitalize())


def sheet_title(file: str, words: str) -> str:
    """„Gruppe 1: Head 1“ for a sheet of a jigsaw, of its file without an ending and what it calculates."""
    return ": ".join(filter(None, (_named_file(file), words)))


def _with_value(found: re.Match[str]) -> str:
    """„Matrizen: gelernt“ for --gewichte gelernt."""
    value, label = _texts()["werte"].get(found[2]), _texts()["namen"].get(found[1][2:])
    return f"„{label}: {value.partition(':')[0]}“" if value and label else found[0]


def _labelled(flag: re.Match[str]) -> str:
    name = flag[2].replace("-", "_")
    label = _texts()["namen"].get(name)
    if label is None:
        return flag[0]
    return f"„{label}“{' ausgeschaltet' if flag[1] else ''}"


def _field(option: Option) -> FormField:
    kind = option.kind
    label = _texts()["namen"].get(option.name, option.help)
    standard = "" if option.default is None else kind.shown(option.default)
    low, high = (kind.for_paper().low, kind.for_paper().high) if isinstance(kind, Whole) else (None, None)
    values = tuple(_values(option, low, high))
    return FormField(option.name, label, _help(option), _widget(option, values), standard, values, low, high)


def _help(option: Option) -> str:
    if option.name in _texts()["hilfen"]:
        return str(_texts()["hilfen"][option.name])
    said = option.help[0].upper() + option.help[1:]
    follows = option.default is None and option.default_text
    return in_words(f"{said} (sonst: {option.default_text})" if follows else said)


def _values(option: Option, low: int | None, high: int | None) -> Iterator[tuple[str, str]]:
    kind, texts = option.kind, _texts()
    if isinstance(kind, FilePath):
        if option.default is None and kind.instead:
            yield "", texts["werte"]["offen"]
        yield from map(_worded, kind.instead)
    elif isinstance(kind, OneOf):
        if option.default is None:
            yield "", "ohne"
        yield from map(_worded, kind.values)
    elif isinstance(kind, OneNumberOf):
        yield "", str(option.default_text)
        yield from ((str(number), f"{number} pt") for number in kind.values)
    elif isinstance(kind, Groups):
        yield "", "ohne"
        yield from map(_worded, (HEADS, TOKENS))
        yield from ((str(number), f"{number} Gruppen") for number in range(2, _MOST_GROUPS + 1))
    elif isinstance(kind, Names) and option.name == "stationen":
        yield from ((stop.id, f"{stop.sign} {stop.title}") for stop in COURSE)
    elif isinstance(kind, Names) and option.name == "format":
        yield from ((name, FORMATS[name].says) for name in kind.known)
    elif isinstance(kind, Names):
        yield from map(_worded, kind.known)
    elif isinstance(kind, Whole) and low is not None and high is not None and high - low < _FEW:
        words = texts["stufen"] if option.name == "stufe" else {}
        yield from ((str(number), words.get(str(number), str(number))) for number in range(low, high + 1))


def _worded(value: str) -> tuple[str, str]:
    return value, value_name(value)


def _widget(option: Option, values: Sequence[tuple[str, str]]) -> str:
    kind = option.kind
    if isinstance(kind, Switch):
        return "switch"
    if isinstance(kind, TokenPlaces):
        return "words" if kind.many else "word"
    if isinstance(kind, Names):
        return "some"
    if values:
        return "choice"
    if isinstance(kind, Whole):
        return "whole"
    return "lines" if option.name == TEXTS else "text"


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(text_of("page/options.toml"))
