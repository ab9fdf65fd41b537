"""The rooms of the house: who may use whom, from the ground floor up. No arrow back up, no circle."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ("numbers", "trace", "model", "pens", "forward", "backward", "texts", "judging", "training")
ROOMS = """basics options words calculation sheet output figures check reading stations teacher production
page commands"""
FLOORS = (*(f"engine.{room}" for room in ENGINE), *(f"generator.{room}" for room in ROOMS.split()))
ENTRANCES = ("generator", "generator.__main__", "generator.version", "engine")


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for top in ("engine", "generator")
    for path in sorted((ROOT / top).rglob("*.py"))
}


def room_of(module):
    return ".".join(module.split(".")[:2])


@cache
def nodes_of(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path):
    """The modules of ours that a file imports, wherever in the file."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                full = f"{node.module}.{name.name}"
                yield full if full in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@cache
def arrows():
    return {module: MODULES.keys() & imported(path) for module, path in MODULES.items()}


def test_a_room_uses_only_rooms_below():
    for module in MODULES.keys() - set(ENTRANCES):
        assert room_of(module) in FLOORS, f"{module} stands in no room"
        below = FLOORS[: FLOORS.index(room_of(module)) + 1]
        up = [each for each in arrows()[module] - {"generator.version"} if room_of(each) not in below]
        assert not up, f"{module} reaches up to {up}"


def test_no_circle():
    done, way = set(), []

    def visit(module):
        assert module not in way, " -> ".join([*way[way.index(module) :], module])
        if module not in done:
            way.append(module)
            for target in sorted(arrows()[module]):
                visit(target)
            done.add(way.pop())

    for module in arrows():
        visit(module)


def test_a_room_says_what_it_is_for():
    for room in FLOORS:
        (module, *_) = nodes_of(MODULES[room])
        described = ast.get_docstring(module)
        assert described is not None, room
        if MODULES[room].name == "__init__.py":
            assert len(described.splitlines()) >= 3, room
            assert len(module.body) == 1, f"the front door of {room} holds code"


def private_names(path):
    """What a file takes of ours by a private name: imported, or of a module that it imports."""
    nodes, ours = nodes_of(path), set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in ("engine", "generator"):
            ours |= {name.asname or name.name for name in node.names}
    named = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    taken = {node.attr for node in named if node.value.id in ours and not node.attr.startswith("__")}
    return {name for name in ours | taken if name.startswith("_")}


def test_tests_take_nothing_private():
    """What a test holds on to by a private name cannot be changed behind it."""
    tests = {path: private_names(path) for path in (ROOT / "tests").rglob("*.py")}
    assert {str(path.relative_to(ROOT)): names for path, names in tests.items() if names} == {}
