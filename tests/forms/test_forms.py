"""The worksheet to fill in, in a browser and as a PDF: what is typed stays, is saved, and is judged."""

from __future__ import annotations

import ctypes
import io
import json
from itertools import combinations

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from pypdf import PdfReader

from generator.basics.errors import UserError
from generator.check.answers import read_answers
from generator.check.entries import fields_of
from generator.commands.check_command import run
from generator.options.options import Options
from generator.sheet.fields import IN_WORDS
from tests.laid_out import files_of, laid_out

FILLED = Options(satz="Die Katze sitzt", stationen=("4a", "4b"), gewichte="auswahl", ausfuellbar=True)
FORM = "arbeitsblatt-ausfuellbar"
SAID = 'Weil „es“ so; ist\nund "nicht"  (anders) \\'


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder where its files lie."""
    folder = tmp_path_factory.mktemp("form")
    for name, data in files_of(FILLED).items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def right():
    """The key's number for each field, as a pupil types it."""
    blanks = laid_out(FILLED)[0].blanks()
    return {f"{b.name}[{b.address}]": b.text.replace("\N{MINUS SIGN}", "-") for b in blanks}


def judged(made, path):
    report = json.loads(run(str(made / "rechnung.json"), str(path), as_json=True))
    return {verdict: count for verdict, count in report["summary"].items() if count}, report["cells"]


# In headless Chromium.
TYPE = """texts => document.querySelectorAll('input[data-field]').forEach(field => {
  field.value = texts[field.dataset.field] ?? '';
  field.dispatchEvent(new Event('input', {bubbles: true}));
})"""
SHOWN = "[...document.querySelectorAll('input[data-field]')].map(f => [f.dataset.field, f.value])"
LABELS = "[...document.querySelectorAll('[data-field]')].map(f => [f.dataset.field, f.ariaLabel])"


@pytest.fixture
def page(chromium, made):
    context = chromium.new_context(viewport={"width": 1000, "height": 900}, accept_downloads=True)
    context.set_default_timeout(120_000)  # ms; a busy machine is no finding
    opened = context.new_page()
    opened.goto((made / f"{FORM}.html").as_uri())
    yield opened
    context.close()


def test_what_is_typed_into_the_page_is_saved_judged_and_loaded_again(page, right, made, tmp_path):
    labels = page.evaluate(LABELS)
    assert {name for name, _ in labels if not name.startswith(IN_WORDS)} == set(right)
    assert all(label.strip() for _, label in labels)
    assert page.evaluate("document.querySelectorAll('.blank:not(:has(input))').length") == 0
    page.evaluate(TYPE, right)
    words = page.evaluate("document.querySelector('textarea').dataset.field")
    page.fill(f"textarea[data-field='{words}']", SAID)
    for kind in ("csv", "json"):
        with page.expect_download() as waiting:
            page.click(f"[data-do={kind}]")
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        assert judged(made, path)[0] == {"richtig": len(right)}
        assert "Weil „es“ so; ist" in run(str(made / "rechnung.json"), str(path))
        page.evaluate("localStorage.clear()")
        page.reload()
        assert set(dict(page.evaluate(SHOWN)).values()) == {""}
        page.set_input_files("#fill-in input[type=file]", path)
        read = f"document.querySelector('[role=status]').textContent.includes('{1 + len(right)} ')"
        page.wait_for_function(read)
        assert dict(page.evaluate(SHOWN)) == right
        assert page.input_value(f"textarea[data-field='{words}']").split() == SAID.split()


def test_what_is_typed_stays_and_copies_follow(page):
    names = [name for name, _ in page.evaluate(SHOWN)]
    twice = page.locator(f"input[data-field='{next(name for name in names if names.count(name) > 1)}']")
    twice.first.type("-0,35")
    assert twice.last.input_value() == "-0,35"
    page.reload()
    assert twice.first.input_value() == "-0,35"
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("[data-do=clear]")
    page.reload()
    assert twice.first.input_value() == ""


# As a PDF.


def typed_in_a_viewer(path, texts):
    """What a browser does: the field is clicked, signs are typed, the file is saved."""
    document = pypdfium2.PdfDocument(path)
    document.init_forms()
    form = document.formenv.raw
    for page in document:
        for place in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
            annotation = pdfium.FPDFPage_GetAnnot(page.raw, place)
            size = pdfium.FPDFAnnot_GetFormFieldName(form, annotation, None, 0)
            buffer = (ctypes.c_ushort * (size // 2 + 1))()
            pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, size)
            name = bytes(buffer)[: size - 2].decode("utf-16-le")
            if name in texts and size > 2:
                pdfium.FORM_SetFocusedAnnot(form, annotation)
                typed = (texts[name] + "\0").encode("utf-16-le")
                signs = ctypes.cast(ctypes.create_string_buffer(typed), ctypes.POINTER(ctypes.c_ushort))
                pdfium.FORM_SelectAllText(form, page.raw)
                pdfium.FORM_ReplaceSelection(form, page.raw, signs)
                pdfium.FORM_ForceToKillFocus(form)
            pdfium.FPDFPage_CloseAnnot(annotation)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_each_blank_of_the_pdf_is_an_empty_field_with_a_name_that_lies_on_it(made, right):
    reader = PdfReader(made / f"{FORM}.pdf")
    fields = {name: field for name, field in reader.get_fields().items() if "/FT" in field}
    assert {name for name in fields if not name.startswith(IN_WORDS)} == set(right)
    assert len(fields) - len(right) >= 5
    assert all(field["/TU"].strip() and not field.get("/V") for field in fields.values())
    for page in reader.pages:
        assert page["/Tabs"] == "/S"
        boxes = [annotation.get_object() for annotation in page.get("/Annots", [])]
        rectangles = [box["/Rect"] for box in boxes if box["/Subtype"] == "/Widget"]
        for left, bottom, right_side, top in rectangles:
            assert (right_side - left > 24, top - bottom > 17) == (True, True)
            assert (left > 70, right_side < 540, bottom > 50, top < 800) == (True,) * 4
        assert not any(overlap(*pair) for pair in combinations(rectangles, 2))


def overlap(one, two):
    return min(one[2], two[2]) - max(one[0], two[0]) > 1 and min(one[3], two[3]) - max(one[1], two[1]) > 1


def test_a_filled_pdf_is_judged_as_the_same_numbers_in_a_file(made, right, tmp_path):
    slip = next(name for name in reversed(right) if ".weight[" in name)
    words = next(
        name for name in fields_of((made / f"{FORM}.pdf").read_bytes(), "x") if name.startswith(IN_WORDS)
    )
    (tmp_path / "class").mkdir()
    paper, same = tmp_path / "class/anna.pdf", tmp_path / "blatt.csv"
    paper.write_bytes(
        typed_in_a_viewer(made / f"{FORM}.pdf", right | {slip: "0,99", words: "Weil  es (so) \\ ist"})
    )
    lines = [f"{name[:-1].replace('[', ';')};{text}" for name, text in (right | {slip: "0,99"}).items()]
    same.write_text("\n".join(lines), encoding="utf-8")
    (count, cells), (other_count, other_cells) = (judged(made, path) for path in (paper, same))
    key = lambda cell: (cell["name"], cell["index"])  # noqa: E731
    assert sorted(cells, key=key) == sorted(other_cells, key=key)
    assert count == other_count
    assert count["richtig"] == len(right) - 1 - count.get("folgefehler", 0)
    wrong = [(cell["name"], cell["answer"]) for cell in cells if cell["verdict"] == "falsch"]
    assert wrong == [(slip.partition("[")[0], 0.99)]
    assert read_answers(paper, {}).in_words == {words: "Weil  es (so) \\ ist"}
    report = run(str(made / "rechnung.json"), str(paper))
    assert all(said in report for said in ("Weil es (so) \\ ist", "nicht bewertet"))
    assert all(
        said in run(str(made / "rechnung.json"), str(paper.parent)) for said in ("1 Arbeit", "  anna: ")
    )


HOSTILE = [
    b"%PDF-1.7\n%%EOF" + bytes(range(256)) * 200,
    b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[3 0 R]>>>>endobj "
    b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]"
    b"/Count 9999999>>endobj 3 0 obj<</T(a)/Kids[3 0 R]/Parent 3 0 R>>endobj "
    b"trailer<</Root 1 0 R>>",
]


def test_a_hostile_file_and_one_without_fields_are_one_sentence(tmp_path, made):
    path = tmp_path / "böse.pdf"
    for content in HOSTILE:
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"„böse\.pdf“") as raised:
            run(str(made / "rechnung.json"), str(path))
        assert "\n" not in str(raised.value)
    with pytest.raises(UserError, match="gespeichert und nicht neu gedruckt"):
        fields_of((made / "arbeitsblatt.pdf").read_bytes(), "„x.pdf“")
