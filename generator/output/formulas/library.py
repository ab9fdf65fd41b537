"""ziamath, which sets our formulas, made quicker: a sheet of a class has matrices that no other one has."""

import warnings
from collections.abc import Container, Iterable
from functools import cache, lru_cache, partial
from typing import Any, Final

_ROWS: Final = frozenset(["math", "mrow", "mtr", "mtd", "none"])
_STIFF: Final = frozenset("\N{MINUS SIGN},=+·≈")


def _may_stretch(line: Iterable[Any], names: Container[str]) -> bool:
    """Whether a sign of this row, of none in it, may be as high as the row. names: of signs in letters."""
    return any(
        ((part.tag == "mo" or (part.tag == "mi" and part.text in names)) and part.text not in _STIFF)
        or (part.tag not in _ROWS and _may_stretch(part, names))
        for part in line
    )


@cache
def loaded() -> Any:
    """The library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import ziamath
    ziamath.config.svg2 = True
    ziamath.config.precision = 4
    ziamath.config.decimal_separator = "."
    ziamath.styles.asdict = vars  # a node only reads its parent's style: it needs no deep copy

    node = ziamath.nodes.mnode.Mnode
    size_px = lru_cache(maxsize=1_000)(partial(node.size_px, None))  # asks the node for its size alone
    node.size_px = lambda self, size, font=None: size_px(size, self.glyphsize if font is None else font)

    class Row(ziamath.nodes.mrow.Mrow, tag="mrow"):  # type: ignore[misc, call-arg]
        """ziamath sets what is in a row twice, and so the rows in rows 2, 4, 8 … times: once for the height
        of what does not stretch. While only that is asked, nothing needs to know how far to stretch, but
        what bears an index or exponent; nor does it where nothing stretches, as in the cells of a matrix.
        """

        def _get_height_nostretch(self, line: list[Any], **given: Any) -> tuple[float, float]:
            if not _may_stretch(line, ziamath.operators.names):
                return 0.0, 0.0
            around = self.parent
            while around.mtag not in ("math", "msup", "msub", "msubsup"):
                around = around.parent
            if given.get("nostretch") and around.mtag == "math":
                return 0.0, 0.0
            height: tuple[float, float] = super()._get_height_nostretch(line, **given)
            return height

    return ziamath
