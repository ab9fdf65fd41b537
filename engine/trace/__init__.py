"""What a calculation wrote down: named quantities with axes, places and values.

In: values. Out: a trace. It computes nothing of a transformer.
"""
