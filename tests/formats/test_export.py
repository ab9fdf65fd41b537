"""Further formats are asked for by name."""

import pytest
from starting import started

from generator.basics.errors import UserError
from generator.options.options import Options
from generator.options.sheet_code import command_again

KATZE = "Die Katze sitzt auf der Matte"


def test_formats_are_a_list_and_may_be_repeated():
    assert Options.from_mapping({"satz": KATZE, "format": ["md", "md"]}).format == ("md",)
    assert Options.from_mapping({"satz": KATZE}).format == ()


def test_an_unknown_format_is_refused_in_one_sentence():
    with pytest.raises(UserError, match=r"--format pdf passt nicht: Es gibt .*md"):
        Options.from_mapping({"satz": KATZE, "format": ["pdf"]})


def test_a_format_changes_nothing_of_the_sheet():
    """Neither the code nor the command in the teacher's pages, nor rechnung.json."""
    plain, more = Options(satz=KATZE), Options(satz=KATZE, format=("md",))
    assert more.resolved() == plain.resolved()
    assert command_again(more) == command_again(plain)


def test_no_library_of_a_format_is_loaded_unasked():
    modules = ["docx", "pypdfium2"]
    code = f"import sys, generator.production.worksheet; print([m for m in {modules} if m in sys.modules])"
    assert started(code=code, text=True, check=True).stdout.strip() == "[]"
