"""What is given: sizes, switches, tokens and weights, checked.

Every calculation begins with a model made here. Nothing is calculated with it yet.
"""
