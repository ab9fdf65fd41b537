"""How often an encoder–decoder is found that writes a target sentence to its end: 20 pairs.

Of each: in how many rows of the first cross-attention head the largest weight is on the word to be translated
next, of those where that word is known, and whether the key of station 10 says that the head has learnt it.

python tests/training_table/pairs.py [--groesse 4,2] [--jeder 1] [--sekunden 300]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

os.environ["PAPIERFORMER_CACHE"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options
from generator.stations.make_sheet import build_sheet

PAIRS = (
    ("Die Katze sitzt auf der Matte", "The cat sits"),
    ("Die Katze sitzt auf der Matte", "The cat sits on the mat"),
    ("Der Hund jagt den Ball", "The dog hunts the ball"),
    ("Anna liest ein Buch", "Anna reads a book"),
    ("Die Kinder spielen im Garten", "The children play in the garden"),
    ("Ein Vogel singt heute laut", "A bird sings loudly today"),
    ("Der Lehrer sucht das Heft", "The teacher seeks the book"),
    ("Die Kuh trinkt viel Wasser", "The cow drinks much water"),
    ("Paul spielt heute Fußball", "Paul plays football today"),
    ("Das Kind schläft im Bett", "The child sleeps in bed"),
    ("Der Mann kauft ein Brot", "The man buys a bread"),
    ("Die Maus liegt unter dem Tisch", "The mouse lies under the table"),
    ("Mia liebt den kleinen Hund", "Mia loves the little dog"),
    ("Der Fuchs läuft durch den Wald", "The fox runs through the forest"),
    ("Die Frau liest den Brief", "The woman reads the letter"),
    ("Das Pferd steht vor dem Haus", "The horse stands before the house"),
    ("Die Lehrerin schreibt einen Brief", "The teacher writes a letter"),
    ("Tim trinkt gern Milch", "Tim drinks milk"),
    ("Die Ente ist heute müde", "The duck is tired today"),
    ("Der Bruder sieht den Garten", "Le frère voit le jardin"),
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--groesse", default="4,2")
    parser.add_argument("--jeder", type=int, default=1)
    parser.add_argument("--sekunden", type=float, default=300)
    arguments = parser.parse_args()
    d, heads = map(int, arguments.groesse.split(","))
    begun, written, tried = time.process_time(), 0, 0
    for sentence, target in PAIRS[:: arguments.jeder]:
        if time.process_time() - begun > arguments.sekunden:
            break
        tried += 1
        before = time.process_time()
        size = {"dimension": d, "heads": heads, "stationen": ("10",)}
        try:
            built = build(Options(satz=sentence, zielsatz=target, gewichte="gelernt", **size))
        except UserError as error:
            print(f"  {sentence} / {target}: {error}", flush=True)
            continue
        assert built.two is not None
        text = " ".join(built.two.rounds.translation.text[1:])
        written += text == f"{target} ⟨Ende⟩"
        seconds = time.process_time() - before
        look = build_sheet(built)[0].stations[0].parts.look
        rows = f"{look.rows_right} of {look.rows_known} rows"
        said = f"{look.telling and look.has_learnt}"
        print(f"  {seconds:5.1f} s  {sentence} / {text}; {rows}, said: {said}", flush=True)
    print(f"d {d}, h {heads}: {written} of {tried} written to the end", flush=True)


if __name__ == "__main__":
    main()
