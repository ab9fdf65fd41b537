"""A sheet as HTML, PDF and further formats; it decides nothing about their content.

`render` makes the HTML of a view, `pdf` paginates and writes it, `many` does so in helper processes. `screen`
finishes the HTML for browsers, `libraries` finds what WeasyPrint loads, `shared` writes many sheets with one
layout; `formulas` and `formats` are what their names say.
"""
