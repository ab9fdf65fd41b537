"""The way back: loss, gradients, one step of learning.

In: a calculation and what is to be learned. Out: a further pass. It reads what the way forward wrote.
"""
