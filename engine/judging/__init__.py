"""What numbers are worth: accepted ranges, own numbers, typical mistakes, effort, friendliness.

In: calculations and pupils' numbers. Out: data about them. Nothing else in the engine reads it.
"""
