"""What is known, without running it, of the records that stations make for their templates.

`parts(word=…, table=…)` has no class that names its fields: they are read from the code of the functions.
"""

import ast
import inspect
import textwrap
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache


def kinds(hint):
    """The classes and records that a hint allows, without None."""
    if isinstance(hint, Either):
        return [kind for part in hint.hints for kind in kinds(part)]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return [kind for part in typing.get_args(hint) for kind in kinds(part)]
    return [] if hint is type(None) or hint is None else [hint]


@dataclass(frozen=True)
class Made:
    """What a call of `parts` makes: a hint for each name."""

    where: str
    hints: dict[str, object]


@dataclass(frozen=True)
class Either:
    hints: tuple


@dataclass(frozen=True)
class Many:
    """A list, or the values of a mapping."""

    of: object


@cache
def made_by(function):
    """The hint of what a function gives back: as annotated, or read from its code where that says `Parts`."""
    hint = typing.get_type_hints(function).get("return")
    return Code(function).returned() if typing.Any in (hint, *typing.get_args(hint)) else hint


class Code:
    """Reads the code of a function that makes records for a template."""

    def __init__(self, function):
        self.where, self.names = f"{function.__module__}.{function.__qualname__}", function.__globals__
        self.tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        self.known = {k: v for k, v in typing.get_type_hints(function).items() if k != "return"}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                self.bind(node.targets[0], self.hint(node.value))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self.known[node.target.id] = typing.cast(
                    object, eval(ast.unparse(node.annotation), self.names)
                )

    def returned(self):
        inner = {n for f in ast.walk(self.tree) if isinstance(f, ast.FunctionDef) and f is not self.tree
                 for n in ast.walk(f)}  # fmt: skip
        returns = [n.value for n in ast.walk(self.tree) if isinstance(n, ast.Return) and n not in inner]
        return Either(tuple(self.hint(value) for value in returns))

    def bind(self, target, hint):
        if isinstance(target, ast.Name):
            self.known.setdefault(target.id, hint)
        elif isinstance(target, ast.Tuple):
            parts = side_by_side(hint) or [None] * len(target.elts)
            for name, part in zip(target.elts, parts, strict=False):
                self.bind(name, part)

    def hint(self, node):
        """What is known of an expression; None: nothing."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Constant):
            return type(node.value)
        if isinstance(node, ast.IfExp):
            return Either((self.hint(node.body), self.hint(node.orelse)))
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            for part in node.generators:
                self.bind(part.target, element(self.hint(part.iter)))
            return Many(self.hint(node.elt))
        if isinstance(node, ast.DictComp):
            return Many(self.hint(node.value))
        if isinstance(node, ast.Dict):
            return Many(Either(tuple(map(self.hint, node.values))))
        if isinstance(node, ast.List):
            return Many(Either(tuple(map(self.hint, node.elts))))
        if isinstance(node, ast.Tuple):
            return tuple(map(self.hint, node.elts))
        if isinstance(node, ast.Subscript):
            of = self.hint(node.value)
            return of if isinstance(node.slice, ast.Slice) else element(of)
        if isinstance(node, ast.Attribute):
            return attribute(self.hint(node.value), node.attr)
        return self.call(node) if isinstance(node, ast.Call) else None

    def call(self, node):
        if isinstance(node.func, ast.Attribute):
            return next((made_by(getattr(kind, node.func.attr)) for kind in kinds(self.hint(node.func.value))
                         if isinstance(kind, type) and hasattr(kind, node.func.attr)), None)  # fmt: skip
        name = ast.unparse(node.func)
        if name == "parts":
            return Made(self.where, {each.arg: self.hint(each.value) for each in node.keywords})
        if name in ("tuple", "list", "replace", "sorted"):
            return self.hint(node.args[0])
        called = self.names.get(name)
        return made_by(called) if inspect.isfunction(called) else called if inspect.isclass(called) else None


def attribute(of, name):
    """The hint of an attribute of one of the kinds that a hint allows."""
    for kind in kinds(of):
        if isinstance(kind, Made) and name in kind.hints:
            return kind.hints[name]
        if isinstance(kind, type) and is_dataclass(kind) and name in {field.name for field in fields(kind)}:
            return typing.get_type_hints(kind)[name]
    return None


def element(of):
    """The hint of what a list, a tuple of any length or the values of a mapping have."""
    found = []
    for kind in kinds(of):
        parts = typing.get_args(kind)
        if isinstance(kind, Many):
            found.append(kind.of)
        elif isinstance(kind, tuple):
            found += kind[:1]
        elif typing.get_origin(kind) in (dict, list, tuple, Sequence) and parts:
            found.append(parts[1 if typing.get_origin(kind) is dict else 0])
    return Either(tuple(found)) if found else None


def side_by_side(of):
    """The hints of the parts of a tuple; none where it is not known to be one."""
    for kind in kinds(of):
        if isinstance(kind, tuple) or typing.get_origin(kind) is tuple:
            return kind if isinstance(kind, tuple) else typing.get_args(kind)
    return ()
