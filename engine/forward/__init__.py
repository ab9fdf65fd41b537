"""The way forward: the transformer as steps over arrays, and one sheet's numbers by it in both arithmetics.

In: a model and a pen. Out: the trace of the pen; calculations, drawn until they can be played by hand.
`forward.py` is read from top to bottom. Formulas only: rounding belongs to the pens, judging comes later.
"""
