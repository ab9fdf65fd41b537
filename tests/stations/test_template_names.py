"""Every name that a station's template reads is a field of what its module makes, and every field is read.

Found in the parsed templates, without rendering: a misspelt name fails here wherever it stands.
"""

import types
import typing
from dataclasses import fields, is_dataclass
from importlib import import_module

import pytest
from jinja2 import nodes

from generator.calculation.build import build
from generator.options.course import COURSE
from generator.options.options import Options
from generator.output.render import environment
from generator.stations.further_block import station as further_block
from generator.stations.group_work import station as group_work
from generator.stations.make_sheet import build_sheet
from generator.stations.page_values import page_values

MODULES = {stop.name: import_module(f"generator.stations.{stop.name}.station").station for stop in COURSE} | {
    "further_block": further_block.station,
    "group_work": group_work.group_parts,
    "group_together": group_work.together_parts,
}


def kinds(hint):
    """The classes that a hint allows, without None."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return [kind for part in typing.get_args(hint) for kind in kinds(part)]
    return [] if hint is type(None) or hint is None else [hint]


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
            parts = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
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
            parts = typing.get_args(of)
            if typing.get_origin(of) is tuple and isinstance(node.arg, nodes.Const) and ... not in parts:
                return parts[node.arg.value]
            return element(of) if typing.get_origin(of) is not dict else parts[1]
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
            of = self.type(node.node.node, scope, name)
            parts = [kind for kind in kinds(of) if typing.get_origin(kind) is dict]
            return list[tuple[typing.get_args(parts[0])]] if parts else None
        else:
            self.type(node.node, scope, name)
        return None

    def attribute(self, of, attr, where):
        for kind in kinds(of):
            if typing.get_origin(kind) is dict:
                return typing.get_args(kind)[1]
            if is_dataclass(kind):
                if attr in {field.name for field in fields(kind)}:
                    self.read.add((kind.__name__, kind.__module__, attr))
                    return typing.get_type_hints(kind)[attr]
                if not hasattr(kind, attr):
                    self.missing.append(f"{where}: {kind.__name__} has no {attr}")
        return None


def element(of):
    for kind in kinds(of):
        parts = typing.get_args(kind)
        if typing.get_origin(kind) in (list, tuple) and parts:
            return parts[0]
    return None


def reader_of(name):
    made = Reader()
    made.template(f"stations/{name}/pupils.html.j2", {"s": typing.get_type_hints(MODULES[name])["return"]})
    return made


@pytest.mark.parametrize("name", MODULES)
def test_a_template_reads_only_what_its_station_makes(name):
    made = reader_of(name)
    assert made.missing == []
    assert made.read or name == "formula_sheet"


def test_every_part_of_a_station_is_read_by_a_template():
    read = set().union(*(reader_of(name).read for name in MODULES))
    classes, waiting = set(), [typing.get_type_hints(make)["return"] for make in MODULES.values()]
    while waiting:
        for kind in kinds(waiting.pop()):
            if (
                is_dataclass(kind)
                and kind.__module__.startswith("generator.stations")
                and kind not in classes
            ):
                classes.add(kind)
                waiting += typing.get_type_hints(kind).values()
            waiting += [part for part in typing.get_args(kind) if part is not ...]
    there = {(kind.__name__, kind.__module__, field.name) for kind in classes for field in fields(kind)}
    assert {" ".join(part) for part in there - read} == set()


def test_a_misspelt_name_is_found():
    made = Reader()
    made.attribute(typing.get_type_hints(MODULES["feed_forward"])["return"], "exercizes", "here:1")
    assert made.missing == ["here:1: FeedForward has no exercizes"]


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
