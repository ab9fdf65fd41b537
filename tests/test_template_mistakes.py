"""A mistake in a German template is told in one sentence, with its file and line."""

import pytest
from laid_out import KATZE, laid_out

from generator.basics import templates
from generator.basics.errors import UserError
from generator.options.options import Options


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('Der Satz.\n{{ "Das „Wort" hier" }}', 2, "Bei „hier“ geht es nicht weiter; in einem Satz"),
        ("Ja.\n{% if x %}\nnein\n", 3, "zu einem {% if … %} fehlt {% endif %}."),
        ("Ja.\n{% for a in x %}{% endif %}", 2, "das letzte offene {% for … %} hat noch kein Ende."),
        ("Ja.\n\n{% esle %}", 3, "steht {% esle %}; dazu fehlt der Anfang"),
        ("Ja {{ x", 1, "fehlt das Ende"),
        ("Ja.\n{{ x|unt }}", 2, "Bei „unt“ geht es nicht weiter"),
        ("Ja.\n\n{{ x.gibtesnicht }}", 3, "steht „gibtesnicht“; das gibt es dort nicht."),
        ("Ja.\n{{ value('block1.norm') }}", 2, "steht „block1.norm“; das gibt es dort nicht."),
    ],
)  # fmt: skip
def test_each_mistake_has_its_place(text, line, told, tmp_path, monkeypatch):
    monkeypatch.setattr(templates, "templates_folder", lambda: tmp_path)
    (tmp_path / "stations").mkdir()
    (tmp_path / "stations/a.html.j2").write_text(text, encoding="utf-8")
    made = templates.environment.__wrapped__("")
    with pytest.raises(UserError, match=rf"^In templates/stations/a.html.j2, Zeile {line}, ") as raised:
        made.get_template("stations/a.html.j2").render(
            x=["y"], value=laid_out(Options(satz=KATZE))[1].quantity
        )
    assert told in str(raised.value)
