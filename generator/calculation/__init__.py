"""Options become a calculation.

In: options and given numbers. Out: everything that a sheet can print. No words for pupils.
"""
