import re

import segno

from generator.figures.qr_code import qr_code


def test_the_path_fills_exactly_the_dark_modules():
    text = 'papierformer blatt "Grüße"'
    figure = qr_code(text, "QR-Code")
    dark = set()
    for left, top, right in re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V", figure.drawing.shapes):
        dark |= {(x - 4, round(float(top)) - 4) for x in range(round(float(left)), round(float(right)))}
    matrix = segno.make(text, error="l", micro=False, boost_error=True).matrix
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}
    assert figure.width == figure.height
    assert figure.drawing.text == text


def test_a_text_too_long_for_paper_has_no_code():
    assert qr_code("x" * 3000, "QR-Code") is None
    assert qr_code("x" * 900, "QR-Code") is None
