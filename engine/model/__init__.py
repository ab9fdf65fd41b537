"""What is given: sizes, switches, tokens and weights, checked.

In: sentences, numbers, a style. Out: models. Nothing is calculated with them here.
"""
