"""The words of a command line, sorted into arguments, options and flags; the help and the TOML template.

The standard library's parser is not used: its errors and headings are English sentences that only its private
parts could replace, and they differ between Python versions.
"""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from string import Template
from typing import Any

from engine.model.norms import NORM
from generator.basics.errors import UserError, quoted
from generator.basics.reading import text_of
from generator.options.declaration import Option
from generator.options.option_kinds import OneOf, toml_value
from generator.options.options import TABLE

HELP_FLAGS = ("-h", "--help", "--hilfe")
_COLUMN = 34
_WIDTH = 100


@dataclass(frozen=True)
class Argument:
    """A positional argument: its name in the help and what it is. several: the last takes all that follow."""

    name: str
    help: str
    needed: bool = True
    several: bool = False


SENTENCE = Argument(
    "SATZ", 'der Satz in Anführungszeichen: "Die Katze sitzt auf der Matte"', needed=False
)  # it may also stand in the template


@dataclass(frozen=True)
class Flag:
    """A switch of one command only, such as --json."""

    flag: str
    help: str


@dataclass(frozen=True)
class Call:
    """What was asked for: arguments by name, option values by option name (text, or booleans), flags.

    words: all arguments in their order, where the last may be several.
    """

    arguments: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    wants_help: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Command:
    """One command: what the help says of it, what it takes, and what runs it.

    examples: what stands after the program's name in the examples of the help.
    """

    name: str
    summary: str
    run: Callable[[Call], None]
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    flags: tuple[Flag, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def known_flags(self) -> list[str]:
        """Every flag of this command, in the order of the help."""
        of_options = [flag for option in self.options for flag in (option.flag, option.off_flag) if flag]
        return [*of_options, *(flag.flag for flag in self.flags), "--hilfe"]


def read(command: Command, words: Sequence[str]) -> Call:
    """Sort the words after the command's name. UserError for unknown flags, missing and surplus words."""
    by_flag = {option.flag: option for option in command.options}
    off = {option.off_flag: option for option in command.options if option.off_flag}
    own = {flag.flag for flag in command.flags}
    positional: list[str] = []
    options: dict[str, Any] = {}
    flags: set[str] = set()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            positional += rest
            break
        if not _is_flag(word):
            positional.append(word)
            continue
        flag, equals, value = word.partition("=")
        if flag in HELP_FLAGS:
            return Call(wants_help=True)
        option = by_flag.get(flag)
        if flag in own or flag in off or (option is not None and option.off_flag):
            if equals:
                raise UserError(f"{flag} steht ohne Wert; {quoted(value)} gehört nicht dazu.")
            if flag in own:
                flags.add(flag)
            else:
                options[(option or off[flag]).name] = flag not in off
        elif option is None:
            raise UserError(_unknown(flag, command))
        else:
            kind, following = option.kind, rest[0] if rest else ""
            alone = kind.alone if isinstance(kind, OneOf) and following not in kind.values else ""
            if alone and not equals:
                value = alone
            elif not equals:
                if not rest or rest[0].partition("=")[0] in (*command.known_flags, "--"):
                    raise UserError(f"{flag} braucht einen Wert, zum Beispiel {flag} {_example(option)}.")
                value = rest.pop(0)
            options[option.name] = [*options.get(option.name, []), value] if option.kind.many else value
    words = tuple(positional) if _several(command) else ()
    return Call(_named(command, positional), options, frozenset(flags), words=words)


def _is_flag(word: str) -> bool:
    """A word that begins with a hyphen, but no number and no sentence."""
    return len(word) > 1 and word[0] == "-" and not word[1].isdigit() and " " not in word.partition("=")[0]


def _several(command: Command) -> bool:
    return bool(command.arguments) and command.arguments[-1].several


def _named(command: Command, words: Sequence[str]) -> dict[str, str]:
    if len(words) > len(command.arguments) and not _several(command):
        surplus = words[len(command.arguments)]
        if command.arguments[-1:] == (SENTENCE,):
            raise UserError(
                f"{quoted(surplus)} ist zu viel; der Satz gehört in Anführungszeichen: "
                f'papierformer {command.name} "Die Katze sitzt auf der Matte"'
            )
        raise UserError(f"{quoted(surplus)} ist zu viel; nötig ist: {usage(command)}")
    given = dict(zip((argument.name for argument in command.arguments), words, strict=False))
    for argument in command.arguments:
        if argument.needed and argument.name not in given:
            raise UserError(f"{argument.name} fehlt; nötig ist: {usage(command)}")
    return given


def _unknown(flag: str, command: Command) -> str:
    for argument in command.arguments:
        if flag == f"--{argument.name.partition('.')[0].lower()}":
            said = f"{argument.name} steht ohne Option da, nötig ist: {usage(command)}"
            return f"Die Option {quoted(flag)} gibt es nicht; {said}"
    for option in TABLE:
        if flag == option.flag:
            said = f"Die Option {quoted(flag)} gibt es bei „papierformer {command.name}“ nicht"
            return "; ".join(filter(None, (said, option.not_of_class))) + "."
    near = get_close_matches(flag, command.known_flags, 1, 0.5)
    hint = f"gemeint ist vielleicht {near[0]}" if near else f"papierformer {command.name} --hilfe nennt alle"
    return f"Die Option {quoted(flag)} gibt es nicht; {hint}."


def _example(option: Option) -> str:
    """A value as one types it, in quotes where a shell would take it for something else."""
    value = option.example if option.default is None else option.default
    shown = ",".join(map(str, value)) if isinstance(value, list) else option.kind.shown(value)
    typed = shown.partition(";")[0]
    return f'"{typed}"' if re.search("[ <>]", typed) else typed


def usage(command: Command) -> str:
    names = [each.name if each.needed else f"[{each.name}]" for each in command.arguments]
    takes = ["[OPTIONEN]"] if command.options or command.flags else []
    return " ".join(["papierformer", command.name, *names, *takes])


def command_help(command: Command) -> str:
    """The help of one command, ending in a newline."""
    summary = command.summary[0].upper() + command.summary[1:] + "."
    lines = [f"Aufruf: {usage(command)}", "", *textwrap.wrap(summary, _WIDTH)]
    lines += ["", "Argumente:"] if command.arguments else []
    for argument in command.arguments:
        lines += _entry(argument.name, argument.help)
    lines += ["", "Optionen:"]
    for option in command.options:
        second = f", {option.off_flag}" if option.off_flag else f" {option.kind.placeholder}"
        default = f" (voreingestellt: {option.default_text})" if option.default_text else ""
        lines += _entry(option.flag + second, option.help + default)
    for own in command.flags:
        lines += _entry(own.flag, own.help)
    lines += _entry("-h, --hilfe", "zeigt diese Hilfe")
    if command.examples:
        lines += ["", "Zum Beispiel:"]
        lines += [f"  papierformer {command.name} {words}" for words in command.examples]
    return "\n".join(lines) + "\n"


def program_help(commands: Sequence[Command]) -> str:
    """The help of the whole program, ending in a newline."""
    lines = [
        "Aufruf: papierformer BEFEHL [ARGUMENTE] [OPTIONEN]",
        "",
        "Arbeitsblätter, auf denen eine Klasse einen kleinen Transformer von Hand rechnet.",
        "",
        "Befehle:",
    ]
    for command in commands:
        lines += _entry(command.name, command.summary)
    lines += ["", "Optionen:", *_entry("-h, --hilfe", "zeigt diese Hilfe")]
    lines += _entry("--version", "zeigt die Version")
    lines += ["", "Zum Beispiel:", '  papierformer blatt "Die Katze sitzt auf der Matte"']
    lines += ["  papierformer blatt --hilfe"]
    return "\n".join(lines) + "\n"


def _entry(left: str, right: str) -> list[str]:
    lines = textwrap.wrap(right, _WIDTH - _COLUMN, break_on_hyphens=False)
    lines = [" " * _COLUMN + line for line in lines]
    if len(left) + 4 > _COLUMN:
        return ["  " + left, *lines]
    return [("  " + left).ljust(_COLUMN) + lines[0][_COLUMN:], *lines[1:]]


# --- A commented TOML file with every option at its default.


def template() -> str:
    """A TOML file that changes nothing: reading it gives the defaults."""
    options = "\n".join(_toml_entry(each) for each in TABLE if each.name != "vorlage")
    return Template(text_of("vorlage.toml")).substitute(options=options, norm=" und ".join(NORM.parameters))


def _toml_entry(option: Option) -> str:
    default = "" if option.default is not None else f"; sonst {option.default_text}"
    comment = textwrap.fill(option.help + default, 105, initial_indent="# ", subsequent_indent="# ")
    value = option.example if option.default is None else option.kind.plain(option.default)
    off = "# " if option.default is None else ""
    return f"{comment}\n{off}{option.name} = {toml_value(value)}\n"
