"""The tables of `docs/nachschlagen.md` are those of the declarations.

`python -m tests.cli.test_reference` writes them anew.
"""

import re
from pathlib import Path

from generator.commands.command_table import COMMANDS
from generator.options.declaration import FORMATS
from generator.options.options import TABLE

DOCUMENT = Path(__file__).parents[2] / "docs/nachschlagen.md"
BETWEEN = re.compile(r"(?s)(<!-- Von hier [^\n]*-->\n).*?(<!-- Ende -->)")


def reference() -> str:
    """Commands, options and formats, as Markdown."""
    commands = [(f"`{each.name}`", each.summary) for each in COMMANDS]
    options = [
        (f"`{each.flag} {each.kind.placeholder}`".replace(" `", "`"), each.help, each.default_text or "")
        for each in TABLE
    ]
    formats = [
        (f"`{name}`", each.says, f"`{each.file}`" if each.whole else f"`arbeitsblatt{each.ending}`, …")
        for name, each in FORMATS.items()
    ]
    return "\n".join(
        [
            *_table("Befehle", ("Befehl", "was er tut"), commands),
            "Jeder Befehl erklärt seine Optionen mit `--hilfe`.\n",
            *_table("Optionen eines Blatts", ("Option", "was sie ändert", "voreingestellt"), options),
            *_table("Formate", ("`--format`", "was es ist", "Dateien"), formats),
        ]
    )


def _table(title, heads, rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    yield from (f"## {title}", "", line(heads), line(["---"] * len(heads)), *map(line, rows), "")


def with_reference(text: str) -> str:
    return BETWEEN.sub(lambda found: found[1] + reference() + found[2], text)


def test_the_reference_is_that_of_the_declarations():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_reference(text) == text
    for option in TABLE:
        assert option.flag in text


def test_links_between_documents_lead_somewhere():
    for path in [DOCUMENT.parents[1] / "README.md", *DOCUMENT.parent.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)?(?:#([^)\s]+))?\)", path.read_text(encoding="utf-8")):
            file = path.parent / target[0] if target[0] else path
            assert file.exists(), (path.name, target)
            if target[1]:
                heads = re.findall(r"(?m)^#+ (.+)$", file.read_text(encoding="utf-8"))
                assert target[1] in {_anchor(head) for head in heads}, (path.name, target)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


if __name__ == "__main__":
    DOCUMENT.write_text(with_reference(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
