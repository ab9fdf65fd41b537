"""The way back: loss, gradients, one step of learning.

A lesson says what is to be learned; its calculation is a further pass, which reads what the way forward
wrote.
"""
