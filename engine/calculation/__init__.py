"""One sheet's numbers: the same pass in both arithmetics, drawn until it can be played by hand.

In: models. Out: calculations. It may use layers and pens; judging comes later.
"""
