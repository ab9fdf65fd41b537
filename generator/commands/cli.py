"""The command line in, an exit status out: 0 done, 2 the user can mend it, 130 Ctrl-C, 1 anything else."""

import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from generator.basics.errors import Unfinished, UserError, quoted
from generator.basics.garbage import collect_rarely
from generator.basics.reading import reason
from generator.commands.command_table import COMMANDS
from generator.commands.streams import Stopped, note, prepare, put, say, stop_on_signals
from generator.options.command_line import HELP_FLAGS, Command, command_help, program_help, read
from generator.version import VERSION

DONE, FAILED, MENDABLE, INTERRUPTED = 0, 1, 2, 130
_DEBUG = "PAPIERFORMER_DEBUG"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; never raises, never shows a traceback unasked."""
    collect_rarely()
    prepare()
    stop_on_signals()
    words = [_decoded(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    return _guarded(lambda: _run(words))


def _run(words: Sequence[str]) -> None:
    if not words or words[0] in HELP_FLAGS:
        put(program_help(COMMANDS))
    elif words[0] == "--version":
        say(f"papierformer {VERSION}")
    else:
        command = _command(words[0])
        call = read(command, words[1:])
        if call.wants_help:
            put(command_help(command))
        else:
            command.run(call)
    if sys.stdout is not None:
        sys.stdout.flush()


def _guarded(work: Callable[[], None]) -> int:
    """Do the work; every kind of failure becomes one German sentence and a status."""
    try:
        work()
        return DONE
    except UserError as error:
        return _failed(str(error), FAILED if isinstance(error, Unfinished) else MENDABLE, error)
    except BrokenPipeError:
        _discard_output()
        return FAILED
    except KeyboardInterrupt as error:
        return _failed("Abgebrochen.", INTERRUPTED, error)
    except Stopped as error:
        return _failed("Abgebrochen.", FAILED, error)
    except MemoryError as error:
        sentence = "Der Arbeitsspeicher reicht nicht; kürzen Sie den Satz oder wählen Sie kleinere Größen."
        return _failed(sentence, MENDABLE, error)
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:  # a template that is missing has none
            _discard_output()
            return _failed(f"Die Ausgabe ist misslungen: {reason(error)}.", MENDABLE, error)
        sentence = f"Unerwarteter Fehler ({type(error).__name__}); mit {_DEBUG}=1 zeigt das Programm, wo."
        return _failed(sentence, FAILED, error)


def _failed(sentence: str, status: int, error: BaseException) -> int:
    if os.environ.get(_DEBUG) == "1":
        import traceback

        traceback.print_exception(error)
    try:
        note(sentence)
    except OSError:
        _discard_output()
    return status


def _discard_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _command(name: str) -> Command:
    commands = {command.name: command for command in COMMANDS}
    if name in commands:
        return commands[name]
    near = get_close_matches(name, commands, 1, 0.5)
    hint = f"gemeint ist vielleicht {near[0]}" if near else f"es gibt {', '.join(commands)}"
    raise UserError(f"Den Befehl {quoted(name)} gibt es nicht; {hint}.")


def _decoded(word: str) -> str:
    """An argument whose bytes are UTF-8, whatever the locale says; other bytes stay surrogates."""
    try:
        return os.fsencode(word).decode("utf-8") if not word.isascii() else word
    except UnicodeError:
        return word


if __name__ == "__main__":
    sys.exit(main())
