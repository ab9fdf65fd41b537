"""In: the screen's page of a worksheet with fields. Out: the same, which keeps and saves what is written."""

from __future__ import annotations

from html import escape

from generator.output.render import templates_folder


def for_filling(html: str, sheet: str) -> str:
    """sheet: what tells this sheet's answers apart from those of others in one browser."""
    style, bar, script = (
        (templates_folder() / name).read_text(encoding="utf-8")
        for name in ("fill_in.css", "fill_in.html", "fill_in.js")
    )
    bar = bar.replace('data-sheet=""', f'data-sheet="{escape(sheet)}"', 1)
    html = html.replace("</style>", f"{style}</style>", 1).replace("<main>", f"<main>\n{bar}", 1)
    return html.replace("</body>", f"<script>\n{script}</script>\n</body>", 1)
