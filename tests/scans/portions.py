"""A class set's folder as the shelf has it, and scans of its papers."""

import json

from generator.output.page_marks import MARKS
from generator.reading import blank_map
from scans.paper import BLANKS, SHEET, page

ASKED = [blank for blank in BLANKS if blank.page == 1][:4]


def a_class(folder, calculation, pupils):
    """A class set's folder; pupils: 0 for one sheet of which everybody has a copy."""
    (folder / "rechnungen").mkdir(parents=True)
    fields = [list(blank._replace(cell=f"block1.head1.score[{row},0]")) for row, blank in enumerate(ASKED)]
    its = {"format": [210.0, 297.0], "seiten": 1, "felder": fields, "marken": list(MARKS)}
    numbers = range(1, pupils + 1) if pupils else [0]
    of = {number: f"rechnungen/{number:02}.json" for number in numbers}
    for file in of.values():
        (folder / file).write_bytes(calculation)
    (folder / "felder.json").write_bytes(
        blank_map.document_of([(SHEET, number, file, its) for number, file in of.items()])
    )
    if pupils:
        known = [{"nummer": n, "name": f"Kind {n}", "blatt": SHEET, "code": ""} for n in numbers]
        (folder / "klassensatz.json").write_text(json.dumps({"varianten": known}))
    return folder


def scan_of(path, *papers, sheet=SHEET):
    """Papers, each (number, text in its first box), in one PDF."""
    images = [page(1, {ASKED[0].cell: text}, pupil=number, sheet=sheet) for number, text in papers]
    images[0].save(path, save_all=True, append_images=images[1:], resolution=203.2)
    return path
