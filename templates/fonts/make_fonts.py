"""In: the upstream fonts (see README.md). Out: the subsets in this folder and coverage.txt.

Run by hand when a font changes: `python templates/fonts/make_fonts.py FIRA_FOLDER STIX_FILE`.
"""

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph

HERE = Path(__file__).parent
TEXT_FACES = {"regular": "400Regular", "bold": "700Bold", "italic": "400Regular_Italic"}
TABULAR = "0123456789+−=×÷±<>≤≥≈≠"
MATH_FEATURES = ["ssty", "dtls", "flac"]
MINUS_THICK = 96  # thousandths of an em at least: 0.67 pt in the smallest table, for a copy of a copy
OPEN_BOX = ord("␣")
OPEN_BOX_SIZE = (560, 60, 210)  # width, side bearing, height of its sides
SPACES = {0x2009: ("thinspace", 200), 0x202F: ("narrownbspace", 180), 0x2060: ("wordjoiner", 0)}

LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2000, 0x20C0)}
LATIN |= {OPEN_BOX, *map(ord, "ẞΣΔαβγδεηθλμπσφωΩ√≈≠≤≥−∞←↑→↓∂∏∑")}
TEXT = sorted(
    {*LATIN, *range(0x180, 0x250), *range(0x2B0, 0x530), *range(0x1E00, 0x1F00), *range(0x2100, 0x2300)}
)
SYMBOLS = sorted(
    {
        0x20,
        0xA0,
        0x2009,
        0x202F,
        *map(ord, "ᵀ′″‖⟨⟩⌈⌉⌊⌋"),
        *range(0x2190, 0x2200),
        *range(0x2200, 0x2300),
        *range(0x2500, 0x2580),
    }
    | {*range(0x25A0, 0x2600), *map(ord, "☐☑☒★☆☛☞♠♣♥♦✂✎✓✔✗✘✦❍❶❷❸❹❺❻❼❽❾①②③④⑤⑥⑦⑧⑨⬅⬆⬇➔")}
)
MATH = sorted(
    {*LATIN, *range(0x300, 0x370), *range(0x370, 0x400), *range(0x400, 0x460), *SYMBOLS}
    | {*range(0x2100, 0x2150), *range(0x23B0, 0x23E2), *range(0x239B, 0x23B0), *range(0x27C0, 0x27F0)}
    | {*range(0x1D400, 0x1D468), *range(0x1D49C, 0x1D504), *range(0x1D538, 0x1D56C), *range(0x1D6A4, 0x1D800)}
)

# What our formulas are written with, in the forms that MathML asks for (a letter alone is slanted).
MATH_CORE = sorted(
    {*range(0x20, 0x7F), *range(0x391, 0x3A2), *range(0x3A3, 0x3CA), *range(0x1D434, 0x1D468)}
    | {*range(0x1D6E2, 0x1D71C), *map(ord, "ℎ𝖳ÄÖÜäöüß²³·×±–—„“…\u00a0\u2009\u202f\u2061\u2062")}
    | {*map(ord, "′√∑∏∂∇∞∈∣‖−⋅⊙≈≠≤≥→←⟨⟩□☐☑✓▽⋯⋮⋱ᵀ␣")}
)


def main() -> None:
    fira, stix = Path(sys.argv[1]), Path(sys.argv[2])
    covered: set[int] = set()
    for face, folder in TEXT_FACES.items():
        source = next((fira / folder).glob("*.ttf"))
        ttf = text_font(source, TEXT, face)
        ttf.save(HERE / "pdf" / f"papierformer-sans-{face}.ttf")
        here = set(ttf.getBestCmap())
        covered = covered & here if covered else here
        web(text_font(source, LATIN, face), f"papierformer-sans-{face}.woff2")
        web(text_font(source, set(TEXT) - LATIN, face), f"papierformer-sans-{face}-more.woff2")
    symbols = subset(TTFont(stix, recalcTimestamp=False), SYMBOLS, [])
    rename(symbols, "Papierformer Symbole", "Regular")
    symbols.save(HERE / "pdf" / "papierformer-symbole.ttf")
    math = subset(TTFont(stix, recalcTimestamp=False), MATH, MATH_FEATURES)
    rename(math, "Papierformer Math", "Regular")
    core = subset(copy(math), MATH_CORE, MATH_FEATURES)
    in_core = set(core.getBestCmap())
    web(core, "papierformer-math-core.woff2")
    web(math, "papierformer-math.woff2")
    sans = set(covered)
    covered |= set(symbols.getBestCmap())
    every = set(math.getBestCmap())
    lines = {"latin": LATIN & covered, "rare": sans - LATIN, "text": covered, "math": every}
    lines["core"] = in_core
    coverage = "".join(f"{name} {ranges(codes)}\n" for name, codes in lines.items())
    (HERE / "coverage.txt").write_text(coverage, encoding="ascii")


def copy(font: TTFont) -> TTFont:
    content = io.BytesIO()
    font.save(content)
    return TTFont(content, recalcTimestamp=False)


def text_font(source: Path, unicodes: Iterable[int], face: str) -> TTFont:
    """Fira Sans with tabular figures by default and the spaces German typography needs."""
    font = TTFont(source, recalcTimestamp=False)
    add_spaces(font)
    add_open_box(font)
    tabular = single_substitutions(font, "tnum")
    for table in font["cmap"].tables:
        if table.isUnicode():
            for code in map(ord, TABULAR):
                table.cmap[code] = tabular.get(table.cmap[code], table.cmap[code])
            table.cmap[0x2011] = table.cmap[ord("-")]
    strengthen_minus(font)
    font = subset(font, unicodes, ["kern", "mark", "mkmk", "ccmp", "locl"])
    rename(font, "Papierformer Sans", face.capitalize())
    return font


def strengthen_minus(font: TTFont) -> None:
    """A minus as long as a figure is wide, and thick enough for a light copy."""
    names, glyphs = font.getBestCmap(), font["glyf"]
    zero, name = glyphs[names[ord("0")]], names[ord("−")]
    middle = (glyphs[name].yMin + glyphs[name].yMax) / 2
    thick = max(MINUS_THICK, glyphs[name].yMax - glyphs[name].yMin)
    low, high = round(middle - thick / 2), round(middle + thick / 2)
    pen = TTGlyphPen(None)
    corners = (zero.xMin, low), (zero.xMin, high), (zero.xMax, high), (zero.xMax, low)
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()
    glyphs[name] = pen.glyph()
    font["hmtx"].metrics[name] = (font["hmtx"].metrics[name][0], zero.xMin)


def add_spaces(font: TTFont) -> None:
    for code, (name, width) in SPACES.items():
        add_glyph(font, code, name, Glyph(), width, 0)


def add_open_box(font: TTFont) -> None:
    """A visible space, which Fira Sans lacks: as thick and as low as its underscore, with two short sides."""
    low = font["glyf"]["underscore"]
    width, bearing, height = OPEN_BOX_SIZE
    left, right, thick = bearing, width - bearing, low.yMax - low.yMin
    pen = TTGlyphPen(None)
    corners = [
        (left, low.yMin),
        (left, low.yMin + height),
        (left + thick, low.yMin + height),
        (left + thick, low.yMax),
        (right - thick, low.yMax),
        (right - thick, low.yMin + height),
        (right, low.yMin + height),
        (right, low.yMin),
    ]
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()
    add_glyph(font, OPEN_BOX, "openbox", pen.glyph(), width, left)


def add_glyph(font: TTFont, code: int, name: str, glyph: Glyph, width: int, bearing: int) -> None:
    order = font.getGlyphOrder()
    font["glyf"].glyphs[name] = glyph
    font["hmtx"].metrics[name] = (width, bearing)
    order.append(name)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name
    font.setGlyphOrder(order)
    font["glyf"].glyphOrder = order


def single_substitutions(font: TTFont, feature: str) -> dict[str, str]:
    gsub = font["GSUB"].table
    record = next(r for r in gsub.FeatureList.FeatureRecord if r.FeatureTag == feature)
    lookups = [gsub.LookupList.Lookup[i] for i in record.Feature.LookupListIndex]
    subtables = [getattr(s, "ExtSubTable", s) for lookup in lookups for s in lookup.SubTable]
    return {a: b for s in subtables for a, b in s.mapping.items()}


def subset(font: TTFont, unicodes: Iterable[int], features: list[str]) -> TTFont:
    options = Options(layout_features=features, hinting=False, glyph_names=False, notdef_outline=True)
    options.drop_tables += ["FFTM", "DSIG"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=unicodes)
    subsetter.subset(font)
    return font


def rename(font: TTFont, family: str, style: str) -> None:
    names = {
        1: family,
        2: style,
        3: f"{family} {style}",
        4: f"{family} {style}",
        6: f"{family}-{style}".replace(" ", ""),
    }
    for record in list(font["name"].names):
        if record.nameID in names:
            record.string = names[record.nameID]
        elif record.nameID in {16, 17, 21, 22}:
            font["name"].names.remove(record)


def web(font: TTFont, name: str) -> None:
    font.flavor = "woff2"
    font.save(HERE / "web" / name)


def ranges(codes: Iterable[int]) -> str:
    """Code points as "20-7e a0-17f"."""
    runs: list[list[int]] = []
    for code in sorted(codes):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return " ".join(f"{a:x}-{b:x}" if a < b else f"{a:x}" for a, b in runs)


if __name__ == "__main__":
    main()
