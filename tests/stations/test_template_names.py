"""Every name that a station's template reads is a field of what its module makes, and every field is read.

Found in the parsed templates, without rendering: a misspelt name fails here wherever it stands.
"""

import ast
import typing
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest
from jinja2 import nodes
from stations.made_parts import Made, Many, attribute, element, kinds, made_by, side_by_side

from generator.calculation.build import build
from generator.options.course import COURSE
from generator.options.options import Options
from generator.output.render import environment
from generator.stations.add_norm import station as add_norm
from generator.stations.further_block import station as further_block
from generator.stations.group_work import station as group_work
from generator.stations.make_sheet import build_sheet, page_values

MODULES = {stop.name: import_module(f"generator.stations.{stop.name}.station").station for stop in COURSE} | {
    "further_block": further_block.station,
    "group_work": group_work.group_parts,
    "group_together": group_work.together_parts,
}


class Reader:
    """Follows names through a template: what is read of which class, and what is not there."""

    def __init__(self):
        self.read, self.missing = set(), []

    def template(self, name, scope):
        tree = environment().parse((environment().loader.get_source(environment(), name))[0])
        macros = {m.name: m for m in tree.find_all(nodes.Macro)}
        self.body(tree.body, scope | {("macro", key): value for key, value in macros.items()}, name)
        return macros

    def body(self, body, scope, name):
        for node in body:
            self.node(node, scope, name)

    def node(self, node, scope, name):
        if isinstance(node, nodes.Macro):
            return
        if isinstance(node, nodes.FromImport | nodes.Import):
            source = node.template.value
            if source.startswith("stations/"):
                tree = environment().parse(environment().loader.get_source(environment(), source)[0])
                found = {m.name: m for m in tree.find_all(nodes.Macro)}
                scope[("module", node.target)] = {("macro", key): value for key, value in found.items()}
        elif isinstance(node, nodes.Include):
            self.template(node.template.value, scope)
        elif isinstance(node, nodes.For):
            inner = dict(scope)
            self.bind(node.target, element(self.type(node.iter, scope, name)), inner)
            for part in (*node.body, *node.else_, *([node.test] if node.test else [])):
                self.node(part, inner, name)
        elif isinstance(node, nodes.Assign):
            self.bind(node.target, self.type(node.node, scope, name), scope)
        elif isinstance(node, nodes.If):
            for part in (node.test, *node.body, *node.elif_, *node.else_):
                self.node(part, scope, name)
        elif isinstance(node, nodes.Expr):
            self.type(node, scope, name)
        else:
            for child in node.iter_child_nodes():
                self.node(child, scope, name)
        return

    def bind(self, target, hint, scope):
        if isinstance(target, nodes.Tuple):
            parts = side_by_side(hint)
            for k, item in enumerate(target.items):
                scope[item.name] = parts[k] if k < len(parts) else None
        elif isinstance(target, nodes.Name):
            scope[target.name] = hint

    def type(self, node, scope, name):
        """The hint of an expression, None where it is not known; names inside it are checked."""
        if isinstance(node, nodes.Name):
            return scope.get(node.name)
        if isinstance(node, nodes.Getattr):
            return self.attribute(self.type(node.node, scope, name), node.attr, f"{name}:{node.lineno}")
        if isinstance(node, nodes.Getitem):
            of = self.type(node.node, scope, name)
            self.type(node.arg, scope, name)
            if isinstance(node.arg, nodes.Slice):
                return of
            parts = side_by_side(of)
            known = parts and isinstance(node.arg, nodes.Const) and ... not in parts
            return parts[node.arg.value] if known else element(of)
        if isinstance(node, nodes.CondExpr):
            self.type(node.test, scope, name)
            both = [self.type(part, scope, name) for part in (node.expr1, node.expr2) if part]
            return next((hint for hint in both if hint is not None), None)
        if isinstance(node, nodes.Call):
            return self.call(node, scope, name)
        for child in node.iter_child_nodes():
            self.type(child, scope, name)
        return None

    def call(self, node, scope, name):
        given = [self.type(part, scope, name) for part in node.args]
        for keyword in node.kwargs:
            self.type(keyword.value, scope, name)
        macro, inside = None, scope
        if isinstance(node.node, nodes.Name):
            macro = scope.get(("macro", node.node.name))
        elif isinstance(node.node, nodes.Getattr) and isinstance(node.node.node, nodes.Name):
            inside = scope.get(("module", node.node.node.name), {})
            macro = inside.get(("macro", node.node.attr))
        if macro is not None:
            names = (argument.name for argument in macro.args)
            self.body(macro.body, inside | dict(zip(names, given, strict=False)), name)
        elif isinstance(node.node, nodes.Getattr) and node.node.attr == "items":
            return Many((str, element(self.type(node.node.node, scope, name))))
        else:
            self.type(node.node, scope, name)
        return None

    def attribute(self, of, attr, where):
        if any(isinstance(kind, Many) or typing.get_origin(kind) is dict for kind in kinds(of)):
            return element(of)
        classes = [kind for kind in kinds(of) if isinstance(kind, type) and is_dataclass(kind)]
        for kind in kinds(of):
            if isinstance(kind, Made):
                self.read.add((kind.where, attr))
                if attr not in kind.hints:
                    self.missing.append(f"{where}: {kind.where} makes no {attr}")
        for kind in classes:
            self.read.add((f"{kind.__module__}.{kind.__name__}", attr))
        if classes and not any(hasattr(k, attr) or attr in {f.name for f in fields(k)} for k in classes):
            self.missing.append(f"{where}: {classes[0].__name__} has no {attr}")
        return attribute(of, attr)


def reader_of(name):
    made = Reader()
    made.template(f"stations/{name}/pupils.html.j2", {"s": made_by(MODULES[name])})
    return made


@pytest.mark.parametrize("name", MODULES)
def test_a_template_reads_only_what_its_station_makes(name):
    made = reader_of(name)
    assert made.missing == []
    assert made.read or name == "formula_sheet"


def records(hint):
    """All records inside what a hint tells, and the dataclasses of the stations."""
    for kind in kinds(hint):
        inner = kind if isinstance(kind, tuple) else typing.get_args(kind)
        if isinstance(kind, Made):
            yield kind.where, kind.hints
            inner = kind.hints.values()
        elif isinstance(kind, Many):
            inner = [kind.of]
        elif isinstance(kind, type) and kind.__module__.startswith("generator.stations"):
            yield f"{kind.__module__}.{kind.__name__}", [field.name for field in fields(kind)]
            inner = typing.get_type_hints(kind).values()
        for part in inner:
            if part is not ...:
                yield from records(part)


def test_every_part_of_a_station_is_read_by_a_template():
    read = set().union(*(reader_of(name).read for name in MODULES))
    made = [found for make in MODULES.values() for found in records(made_by(make))]
    assert {f"{of} {name}" for of, names in made for name in names if (of, name) not in read} == set()


def test_every_record_that_a_station_makes_is_followed():
    """Else its names would be held against nothing."""
    followed = {of for make in MODULES.values() for of, _ in records(made_by(make))}
    root = Path(add_norm.__file__).parents[3]
    for file in (root / "generator/stations").rglob("*.py"):
        module = ".".join(file.relative_to(root).with_suffix("").parts)
        for function in ast.parse(file.read_text()).body:
            calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
            if any(ast.unparse(call.func) == "parts" for call in calls):
                assert f"{module}.{function.name}" in followed


def test_a_misspelt_name_is_found():
    made = Reader()
    made.attribute(made_by(MODULES["feed_forward"]), "exercizes", "here:1")
    assert made.missing == ["here:1: generator.stations.feed_forward.station.station makes no exercizes"]


OF_THE_PRINTING = {"pupil", "qr", "whole_code", "own_numbers"}  # where it is given, the templates ask


def test_the_templates_know_the_names_that_every_page_may_use():
    sheet, desk = build_sheet(build(Options(satz="Die Katze sitzt")))
    read = set()
    for name in environment().list_templates(extensions=["j2"]):
        tree = environment().parse(environment().loader.get_source(environment(), name)[0])
        for node in tree.find_all((nodes.Getattr, nodes.Getitem)):
            if isinstance(node.node, nodes.Name) and node.node.name == "d":
                read.add(node.attr if isinstance(node, nodes.Getattr) else node.arg.value)
    assert read == set(page_values(desk, sheet)) | OF_THE_PRINTING
