"""The transformer, one layer a file; `forward.py` and `encoder_decoder.py` have the order.

In: a model and a pen. Out: the trace of the pen. Formulas only: rounding belongs to the pens.
"""
