"""The formulas: SymPy's LaTeX, and how it becomes MathML, pictures and spoken German.

It knows no number of a calculation: what a page says comes in as LaTeX or by a formula's name.
"""
