"""What a teacher sees while typing: an order, as plain data, goes in; preview, effort and notes come out.

For worker processes. What a process has built last is kept: the rest of a preview follows its beginning.
"""

import base64
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import in_words as listed
from generator.basics.errors import quoted
from generator.basics.numbers import about
from generator.basics.templates import environment
from generator.calculation.build import Built, build
from generator.options.course import with_titles
from generator.options.declaration import WEIGHT_STYLES
from generator.options.options import TABLE, Options
from generator.options.sheet_code import command_again, short_mark
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Printers
from generator.output.render import VIEWS
from generator.output.screen import for_frame
from generator.page.form import in_words, level_name, sheet_title, value_name
from generator.page.work import given_options, left_out, on_paper, pictures
from generator.production.class_set import CLASS_STYLE
from generator.production.sheet_documents import begin_pair, worksheet_and_key
from generator.production.worksheet import fitted_to_lesson
from generator.sheet.sheet import Sheet
from generator.stations.make_sheet import make_sheet
from generator.teacher.jigsaw import jigsaw
from generator.teacher.lesson import (
    LessonPlan,
    group_sheets,
    guesses,
    phases,
    shortened,
    without_attention,
)
from generator.teacher.plan import LENGTHS, GroupWork, group_work, total, workloads
from generator.words.word_vectors import dimension_meanings

FIRST: Final = 3  # stations of the first glance
_KEPT: Final = 6
_WIDTH: Final = 800  # of a printed page on the screen


def warm_up() -> None:
    """Loads everything and makes one small sheet, so that the first preview need not wait for it."""
    preview({"optionen": {"satz": "Die Katze sitzt auf der Matte", "stationen": ["2"]}, "ganz": True})


def preview(order: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet as HTML; its beginning alone, or („ganz“) all of it with minutes and points.

    UserError where the options do not go together.
    """
    same = _asked(order)
    built, command = _built(same)
    whole, key = bool(order.get("ganz")), order.get("ansicht") == "loesung"
    asked_for, choice = built, None
    if built.options.zeit is not None and whole:
        built, choice = _fitted(same)
    groups = group_work(make_sheet(asked_for, ranges={}).desk) if asked_for.options.gruppen else ()
    if groups:
        choice = None
        part = next((each.file for each in groups if each.file == order.get("teil")), groups[0].file)
        sheet = group_sheets(asked_for, built.ranges() if whole else {})[part]
    else:
        sheet = make_sheet(built) if whole else make_sheet(built, ranges={}, first=FIRST)
    pages = worksheet_and_key(sheet)
    page = next(page for page in pages if page.name == VIEWS["key" if key else "worksheet"])
    return {
        "html": for_frame(page.page),
        "befehl": command,
        "blatt": short_mark(built.options),
        "token": list(built.options.tokens),
        "gewaehlt": built.options.resolved(),
        "hinweise": [
            *(decided(choice, asked_for.options) if choice else ()),
            *left_out(order, built.options),
            *map(in_words, built.options.remarks),
        ],
        "klasse": " ".join(for_a_class(asked_for.options)),
        "zahlen": _numbers(built),
        "teile": [{"teil": each.file, "name": sheet_title(each.file, each.words)} for each in groups],
        **((_jigsaw(groups) if groups else _effort(sheet.sheet, built)) if whole else {}),
    }


def decided(choice: LessonPlan, options: Options) -> Iterator[str]:
    """What the program decides for the teacher so that it fits a lesson, before anything is made."""
    yield from without_attention(choice)
    if choice.easier:
        yield (
            f"Damit es in {choice.length} Minuten passt, ist {level_name(choice.level)} vorgegeben statt "
            f"{level_name(options.stufe)}."
        )
    if choice.without:
        words = listed([quoted(options.tokens[place - 1]) for place in choice.without])
        yield f"Nicht selbst gerechnet: {words}."
    if choice.rest:
        yield f"Weggelassen: {listed(with_titles(choice.rest))}."
    yield from shortened(choice)


def for_a_class(options: Options) -> Iterator[str]:
    """Where a class set is another one than the sheet shown."""
    if options.gewichte == WEIGHT_STYLES[0]:
        own, taken = value_name(WEIGHT_STYLES[0]), value_name(CLASS_STYLE)
        same = f"Die Matrizen der Vorschau ({own}) sind bei jedem Startwert dieselben"
        if options.untrained:
            yield f"{same}; damit jedes Blatt eigene Zahlen hat, nimmt ein Klassensatz andere ({taken})."
        else:
            yield f"{same}, also haben in einem Klassensatz alle dieselben Zahlen."
    for each in TABLE:
        if each.not_of_class and getattr(options, each.name):
            yield in_words(f"Nicht im Klassensatz: --{each.name}.")


def printed_pages(order: Mapping[str, Any]) -> dict[str, Any]:
    """The worksheet's pages as they are printed: how many, and a page that shows them."""
    built, _ = _fitted(_asked(order))
    whole, paper = make_sheet(built), Typesetter("pdf")
    if built.options.gruppen:
        groups = group_sheets(built, whole.ranges)
        whole = groups.get(str(order.get("teil")), next(iter(groups.values())))
    with Printers(0) as printers:
        _, both = begin_pair(printers, whole, paper)
        printed = both()[0]
    shown = map(base64.b64encode, pictures(printed.data, _WIDTH))
    template = environment("page").get_template("printed.html.j2")
    html = template.render(sentence=built.options.satz, pictures=[each.decode() for each in shown])
    return {"seiten": printed.pages, "html": html}


def _asked(order: Mapping[str, Any]) -> str:
    """What decides about the sheet, as the key of what is kept."""
    return json.dumps({name: order.get(name) for name in ("optionen", "zahlen")}, sort_keys=True)


@lru_cache(_KEPT)
def _built(asked: str) -> tuple[Built, str]:
    """The calculation, and the command line that makes the same."""
    mark = hashlib.sha256(asked.encode()).hexdigest()[:20]
    options = on_paper(given_options(json.loads(asked), Path(_scratch().name) / mark))
    built = build(options)
    return built, command_again(built.options)


@lru_cache(_KEPT)
def _fitted(asked: str) -> tuple[Built, LessonPlan | None]:
    """The same cut to a lesson, where one is asked for; other views of it do not try all stations again."""
    return fitted_to_lesson(_built(asked)[0])


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Where numbers of one's own stand as files as long as this process lives."""
    return tempfile.TemporaryDirectory(prefix="papierformer-", ignore_cleanup_errors=True)


def _effort(sheet: Sheet, built: Built) -> dict[str, Any]:
    works = workloads(sheet.stations, built.effort)
    together = total(works)
    return {
        "minuten": round(together.minutes),
        "dauer": about(together.minutes),
        "be": together.points,
        "luecken": together.blanks,
        "stunde": _lesson(together.minutes, built.options.zeit, [station.id for station in sheet.stations]),
        "stationen": [
            {"id": station.id, "minuten": round(work.minutes), "be": work.points}
            for station, work in zip(sheet.stations, works, strict=True)
        ],
    }


def _jigsaw(groups: Sequence[GroupWork]) -> dict[str, Any]:
    """All groups at once, then what they put together; in a single or a double lesson."""
    length, _ = jigsaw(groups)
    minutes = max(each.minutes for each in groups[:-1]) + groups[-1].minutes
    return {
        "minuten": minutes,
        "dauer": about(minutes),
        "be": sum(each.points for each in groups),
        "luecken": sum(each.blanks for each in groups),
        "stunde": {"lang": length, "einstieg": phases(length).around},
        "stationen": [
            {"id": sheet_title(each.file, each.words), "minuten": each.minutes, "be": each.points}
            for each in groups
        ],
    }


def _lesson(minutes: float, asked: int | None, stations: Sequence[str]) -> dict[str, int] | None:
    """The lesson that this fits into: its length, and what of it is not work. None: none is long enough."""
    usual = {length: phases(length) for length in LENGTHS}
    divided = {asked: phases(asked, guesses(stations))} if asked else usual
    length = next((length for length, its in divided.items() if minutes <= its.work), asked)
    return None if length is None else {"lang": length, "einstieg": divided[length].around}


def _numbers(built: Built) -> dict[str, Any]:
    """Word vectors and matrices to look at and change; a trained model's are only shown."""
    model = built.calculation.model
    vectors: dict[str, list[float]] = {}
    for place, token in enumerate(model.tokens):
        vectors.setdefault(token, model.embedding[place].tolist())
    meanings = [] if built.options.learns else dimension_meanings(built.options.dimension)
    return {
        "fest": built.options.learns,
        "dimensionen": [meaning.name for meaning in meanings],
        "wortvektoren": vectors,
        "matrizen": {name: values.tolist() for name, values in model.weights.items()},
    }
