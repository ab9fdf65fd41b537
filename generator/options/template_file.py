"""A commented TOML file with every option at its default."""

from __future__ import annotations

import textwrap

from engine.model.rules import NORM
from generator.options.declaration import Option
from generator.options.option_kinds import toml_value
from generator.options.options import TABLE

_HEAD = """\
# Vorlage für Papierformer
# Aufruf: papierformer blatt "Die Katze sitzt auf der Matte" --vorlage meine-vorlage.toml
# Was auf der Kommandozeile steht, gilt vor dieser Datei; was hier fehlt, hat den voreingestellten Wert.
# Zahlen stehen hier mit Punkt. Zeilen mit # sind Bemerkungen: Wer das # entfernt, schaltet die Zeile ein.

# Der Satz, wenn er nicht auf der Kommandozeile steht
# satz = "Die Katze sitzt auf der Matte"
"""

_OF_NORM = " und ".join(NORM.parameters)
_NUMBERS = f"""\
# Eigene Zahlen. Sie können auch in einer eigenen Datei stehen (gewichte, embeddings); was fehlt, kommt aus
# dem Stil und aus den Wörtern. Matrizen werden von rechts multipliziert: query = input · W_Q.

# Eine Zeile je Token, mit --dimension Zahlen
# embedding = [
#   [0.9, 0.1, 0.0, 0.1],
#   [0.0, 0.9, 0.1, 0.2],
#   [0.0, 0.1, 0.9, 0.0],
#   [0.5, 0.0, 0.3, 0.4],
#   [0.9, 0.1, 0.0, 0.1],
#   [0.0, 0.0, 0.0, 0.9],
# ]

# Matrizen mit ihrem Namen: block1.head1.W_Q, W_K und W_V (--dimension Zeilen, je Head --dimension / --heads
# Spalten), block1.W_O, block1.ffn.W_1, b_1, W_2 und b_2, block1.norm1.{_OF_NORM},
# block1.norm2.{_OF_NORM}
# "block1.head1.W_Q" = [[1, 0], [0, 1], [0, 0], [0, 0]]

# Mit einem Zielsatz auch die von Encoder und Decoder: vor den Namen von oben steht encoder. (zum Beispiel
# encoder.block1.head1.W_Q); im Decoder heißt die Self-Attention decoder.block1.self. und die Cross-Attention
# decoder.block1.cross. (jede mit head1.W_Q, … und W_O), dazu kommen decoder.block1.ffn. und drei Normen,
# norm1 bis norm3
# "decoder.block1.cross.head1.W_K" = [[1, 0], [0, 1], [0, 0], [0, 0]]

# Vektoren einzelner Wörter; dieser Abschnitt steht am Ende der Datei
# [wortvektoren]
# Katze = [0.0, 0.9, 0.1, 0.2]
# "geht's" = [0.0, 0.1, 0.9, 0.0]

# Vektoren von Wörtern des Zielsatzes; Wörter, die nicht darin stehen, kommen zum Zielvokabular dazu
# [zielvektoren]
# cat = [0.0, 0.9, 0.1, 0.2]
# sits = [0.0, 0.1, 0.9, 0.0]
# "⟨Start⟩" = [0.1, 0.2, 0.1, 0.8]
# "⟨Ende⟩" = [0.1, 0.4, 0.6, 0.3]
"""


def template() -> str:
    """A TOML file that changes nothing: reading it gives the defaults."""
    return "\n".join([_HEAD, *map(_entry, (each for each in TABLE if each.name != "vorlage")), _NUMBERS])


def _entry(option: Option) -> str:
    default = "" if option.default is not None else f"; sonst {option.default_text}"
    comment = textwrap.fill(option.help + default, 105, initial_indent="# ", subsequent_indent="# ")
    value = option.example if option.default is None else option.kind.plain(option.default)
    off = "# " if option.default is None else ""
    return f"{comment}\n{off}{option.name} = {toml_value(value)}\n"
