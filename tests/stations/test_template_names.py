"""Every name that a station's template reads stands in the code, and all that stations make for it is read.

Found in the parsed templates, without rendering: a misspelt name fails here in whatever branch it stands.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from jinja2 import nodes
from jinja2.runtime import LoopContext

from generator.options.course import COURSE
from generator.output.render import environment

ROOT = Path(__file__).parents[2]
OF_JINJA = {*dir(LoopContext), *dir(str), *dir(dict)}


@pytest.fixture(scope="module")
def templates():
    """Name -> parsed template."""
    all_of_them = environment()
    names = all_of_them.list_templates(["j2"])
    return {name: all_of_them.parse(all_of_them.loader.get_source(all_of_them, name)[0]) for name in names}


def test_the_page_for_writers_names_the_folder_of_each_station():
    told = (ROOT / "docs/saetze.md").read_text("utf-8")
    rows = re.findall(r"^\| Station (.+?) \| (.+?) \|$", told, re.MULTILINE)
    named = {}
    for signs, folders in rows:
        folders = [folder.removeprefix("stations/") for folder in re.findall("`(.+?)`", folders)]
        named |= zip(signs.split(", "), folders, strict=True)
    assert named == {stop.sign: stop.name for stop in COURSE}


def attributes(template):
    return {node.attr for node in template.find_all(nodes.Getattr)}


def defined(template):
    """What other templates may read of one: its macros and variables."""
    macros = {macro.name for macro in template.find_all(nodes.Macro)}
    return macros | {node.name for node in template.find_all(nodes.Name) if node.ctx == "store"}


@cache
def nodes_of_stations():
    """The parsed code of all stations."""
    files = (ROOT / "generator/stations").rglob("*.py")
    return [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]


def test_a_station_s_template_reads_only_names_of_the_code(templates):
    code = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "generator").rglob("*.py"))
    known = set(re.findall(r"\w+", code)).union(*map(defined, templates.values()), OF_JINJA)
    read = {(name, attr) for name, each in templates.items() for attr in attributes(each)}
    assert {(name, attr) for name, attr in read if attr not in known} == set()


def test_every_part_of_a_station_is_read_by_a_template(templates):
    calls = [node for node in nodes_of_stations() if isinstance(node, ast.Call)]
    named = ("parts", "Finding")
    made = {word.arg for call in calls if ast.unparse(call.func) in named for word in call.keywords}
    assert len(made) > 100
    assert made - set().union(*map(attributes, templates.values())) == set()


def test_every_case_of_a_finding_has_its_sentence_and_every_sentence_its_case(templates):
    nodes_of_code = nodes_of_stations()
    named = [node.value for node in nodes_of_code if isinstance(node, ast.keyword) and node.arg == "case"]
    assigned = [node for node in nodes_of_code if isinstance(node, ast.Assign)]
    named += [node.value for node in assigned if ast.unparse(node.targets[0]) == "case"]
    constants = [n.value for value in named for n in ast.walk(value) if isinstance(n, ast.Constant)]
    found = {each for each in constants if isinstance(each, str)}
    compared = [node for template in templates.values() for node in template.find_all(nodes.Compare)]
    cases = [node for node in compared if isinstance(node.expr, nodes.Getattr) and node.expr.attr == "case"]
    assert len(found) > 10
    assert found == {each.expr.value for node in cases for each in node.ops}
