"""Rounding policies: how a value is written down, exactly, as at school, by a pupil, by careless ones.

In: values with names. Out: what the next step reads, and a trace. It knows no formula.
"""
