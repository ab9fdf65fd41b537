import dataclasses
import re
import tomllib

import pytest

from generator.options.command_line import template
from generator.options.numbers_file import read_given
from generator.options.options import NAMES, Options

KATZE = "Die Katze sitzt auf der Matte"


def with_template(tmp_path, text):
    path = tmp_path / "vorlage.toml"
    path.write_text(text, encoding="utf-8")
    return Options.from_mapping({"satz": KATZE, "vorlage": str(path)})


def switched_on(text):
    """The template with every commented line that is TOML switched on."""
    lines, inside = [], False
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        name = bare.split(" = ")[0].strip('"')
        begins = " = " in bare and (
            name in NAMES or name.startswith("block") or name in ("embedding", "Katze", "geht's")
        )
        inside = begins or bare == "[wortvektoren]" or (inside and line.startswith(("#   [", "# ]")))
        lines.append(bare if inside else line)
    return "\n".join(lines) + "\n"


def test_reading_the_template_back_gives_the_defaults(tmp_path):
    options = with_template(tmp_path, template())
    assert dataclasses.replace(options, vorlage=None) == Options(satz=KATZE)
    given = read_given(options)
    assert (given.embedding, given.word_vectors, given.weights) == (None, {}, {})


def test_every_option_stands_in_it_with_its_default_or_an_example(tmp_path):
    values = tomllib.loads(switched_on(template()))
    assert set(NAMES) - {"vorlage"} <= set(values)


def test_the_commented_examples_work(tmp_path):
    text = switched_on(template()).replace('embeddings = "vektoren.toml"', "")
    text = re.sub(r"(?m)^(texte|weiter) = .*$", "", text)  # they belong to trained weights
    options = with_template(tmp_path, text)
    assert (options.ffn, options.beispiel, options.uebung) == (8, 2, (3, 5))
    given = read_given(options)
    assert given.embedding.shape == (6, 4)
    assert given.weights["block1.head1.W_Q"].tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]
    assert given.word_vectors["Katze"] == pytest.approx((0, 0.9, 0.1, 0.2), abs=0)
