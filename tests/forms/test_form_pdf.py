"""A worksheet with fields: filled in by a browser's engine, read back by `pruefe`."""

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
from generator.sheet.fields import IN_WORDS

FORM = "arbeitsblatt-ausfuellbar.pdf"


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


def test_each_blank_is_a_field_and_nothing_else(made, right):
    fields = PdfReader(made / FORM).get_fields()
    named = {name for name, field in fields.items() if "/FT" in field}
    numbers = {name for name in named if not name.startswith(IN_WORDS)}
    assert numbers == set(right)
    assert len(named - numbers) >= 5
    for name in named:
        assert fields[name]["/TU"].strip(), name
        assert not fields[name].get("/V"), name


def test_fields_come_in_the_order_of_the_page_and_cover_their_blanks(made):
    reader = PdfReader(made / FORM)
    seen = 0
    for page in reader.pages:
        assert page["/Tabs"] == "/S"
        boxes = [annotation.get_object() for annotation in page.get("/Annots", [])]
        rectangles = [box["/Rect"] for box in boxes if box["/Subtype"] == "/Widget"]
        seen += len(rectangles)
        for left, bottom, right_side, top in rectangles:
            assert (right_side - left > 24, top - bottom > 17) == (True, True)
            assert (left > 70, right_side < 540, bottom > 50, top < 800) == (True,) * 4
        assert not any(overlap(*pair) for pair in combinations(rectangles, 2))
    assert seen > 60


def overlap(one, two):
    return min(one[2], two[2]) - max(one[0], two[0]) > 1 and min(one[3], two[3]) - max(one[1], two[1]) > 1


def test_a_filled_form_is_judged_as_the_same_numbers_in_a_file(made, right, tmp_path):
    slip = next(name for name in reversed(right) if ".weight[" in name)
    texts = right | {slip: "0,99", f"{IN_WORDS}4a.1.1": "Weil  es (so) \\ ist"}
    paper, same = tmp_path / "blatt.pdf", tmp_path / "blatt.csv"
    paper.write_bytes(typed_in_a_viewer(made / FORM, texts))
    lines = [f"{name.partition('[')[0]};{name.partition('[')[2][:-1]};{text}" for name, text in texts.items()]
    same.write_text("\n".join(line for line in lines if not line.startswith(IN_WORDS)), encoding="utf-8")
    from_paper, from_file = (
        json.loads(run(str(made / "rechnung.json"), str(path), as_json=True)) for path in (paper, same)
    )
    key = lambda cell: (cell["name"], cell["index"])  # noqa: E731
    assert sorted(from_paper["cells"], key=key) == sorted(from_file["cells"], key=key)
    assert from_paper["summary"]["richtig"] == len(right) - 1 - from_paper["summary"]["folgefehler"]
    wrong = [cell for cell in from_paper["cells"] if cell["verdict"] == "falsch"]
    assert [(cell["name"], cell["answer"]) for cell in wrong] == [(slip.partition("[")[0], 0.99)]


def test_an_answer_in_words_is_shown_and_not_judged(made, tmp_path):
    name = next(f for f in fields_of((made / FORM).read_bytes(), "x") if f.startswith(IN_WORDS))
    paper = tmp_path / "blatt.pdf"
    paper.write_bytes(typed_in_a_viewer(made / FORM, {name: "Weil es so ist"}))
    answers = read_answers(paper, {})
    assert answers.entries == ()
    assert answers.in_words == {name: "Weil es so ist"}
    report = run(str(made / "rechnung.json"), str(paper))
    assert "Weil es so ist" in report
    assert "nicht bewertet" in report


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.7\n%%EOF" + bytes(range(256)) * 200,
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[3 0 R]>>>>endobj "
        b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]"
        b"/Count 9999999>>endobj 3 0 obj<</T(a)/Kids[3 0 R]/Parent 3 0 R>>endobj "
        b"trailer<</Root 1 0 R>>",
        b"%PDF-1.7\nxref\n0 1\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF",
    ],
)
def test_a_hostile_file_is_one_sentence(content, tmp_path, made):
    path = tmp_path / "böse.pdf"
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        run(str(made / "rechnung.json"), str(path))
    assert ("„böse.pdf“" in str(raised.value), "\n" in str(raised.value)) == (True, False)


def test_a_pdf_without_fields_says_what_is_needed(made):
    with pytest.raises(UserError, match="gespeichert und nicht neu gedruckt"):
        fields_of((made / "arbeitsblatt.pdf").read_bytes(), "„x.pdf“")


def test_a_class_in_a_folder(made, right, tmp_path):
    (tmp_path / "anna.pdf").write_bytes(typed_in_a_viewer(made / FORM, right))
    report = run(str(made / "rechnung.json"), str(tmp_path))
    assert "1 Arbeit geprüft" in report
    assert "  anna: " in report
