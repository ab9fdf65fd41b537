import re

import segno

from generator.qr_code import qr_code


def test_the_path_fills_exactly_the_dark_modules():
    text = 'papierformer blatt "Grüße"'
    figure = qr_code(text, "QR-Code")
    dark = set()
    for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", figure.drawing.shapes):
        dark |= {(int(x) + i - 4, int(y) - 4) for i in range(int(run))}
    matrix = segno.make(text, error="l", micro=False, boost_error=True).matrix
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}
    assert figure.width == figure.height
    assert figure.drawing.text == text


def test_a_text_too_long_for_paper_has_no_code():
    assert qr_code("x" * 3000, "QR-Code") is None
    assert qr_code("x" * 900, "QR-Code") is None
