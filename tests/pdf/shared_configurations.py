"""In: a configuration. Out: its worksheet and key, as they are written with one layout."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob
from generator.output.pdf import write_pdf
from generator.output.shared.shared_layout import SharedLayout
from generator.production.sheet_documents import key_with, layout_of_both
from generator.stations.make_sheet import make_sheet
from tests.laid_out import Shown, pair_of
from tests.pdf.compare import differences


@dataclass(frozen=True)
class Pair:
    """A worksheet, its key, and what holds all that both show."""

    whole: PdfJob
    parts: dict[str, Shown]
    images: dict[str, Any]

    @classmethod
    def of(cls, pupil: str = "", **options: str) -> Pair:
        built = build(Options.from_mapping(options))
        whole = make_sheet(built)
        typesetter = Typesetter("pdf")
        parts = {each.name: each for each in pair_of(whole, typesetter, pupil)}
        both = layout_of_both(whole, key_with(whole, pupil), typesetter)
        return cls(both, parts, dict(typesetter.images))

    def layout(self) -> SharedLayout:
        return SharedLayout.of(self.whole.html, self.images, title=self.whole.title)

    def written(self, layout: SharedLayout, name: str) -> io.BytesIO:
        """Raises NotShared."""
        part = self.parts[name]
        return io.BytesIO(layout.result(part.html, self.images, title=part.title).data)

    def differences(self, layout: SharedLayout, name: str) -> list[str]:
        """How what is written differs from what is laid out alone. Raises NotShared."""
        part, written = self.parts[name], self.written(layout, name).getvalue()
        alone = write_pdf(part.html, title=part.title, images=self.images).data
        return [f"{name}: {found}" for found in differences(written, alone)]
