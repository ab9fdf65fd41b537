"""What numbers are worth: accepted ranges, own numbers, typical mistakes, effort, friendliness.

The key takes its ranges and the wrong numbers to expect from here, the check judges what pupils wrote, and
of several draws the friendliest is chosen. Nothing else in the engine reads it.
"""
