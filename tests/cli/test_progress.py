import io
import time

from generator.production.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def until(stream, text):
    for _ in range(500):
        if text in stream.getvalue():
            return True
        time.sleep(0.01)
    return False


def test_silent_where_nobody_looks_and_when_it_is_quick():
    file, terminal = io.StringIO(), Terminal()
    for stream in (file, terminal):
        with Progress(stream, after=30) as progress:
            progress.step("Rechne")
        assert stream.getvalue() == ""


def test_one_line_that_is_overwritten_and_goes_away():
    terminal = Terminal()
    with Progress(terminal, after=0.01) as progress:
        progress.step("Rechne")
        assert until(terminal, "Rechne …")
        progress.step("Setze die Lösung", 2, 3)
        assert "Setze die Lösung … (2 von 3)" in terminal.getvalue()
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r" + " " * 72 + "\r")


def test_it_goes_away_after_an_error_too():
    terminal = Terminal()
    try:
        with Progress(terminal, after=0.01) as progress:
            progress.step("Rechne")
            assert until(terminal, "Rechne")
            raise ValueError
    except ValueError:
        pass
    assert terminal.getvalue().endswith(" \r")
