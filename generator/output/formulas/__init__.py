"""The formulas: SymPy's LaTeX, and how it becomes MathML, pictures and spoken German.

In: names or LaTeX. Out: what a page shows. It knows no number of a calculation.
"""
