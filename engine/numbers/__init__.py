"""Exact decimals, rounding, and the functions of the formulas on either kind of array.

In: plain arrays. Out: arrays, decimals, errors as data. It knows no model and no quantity.
"""
