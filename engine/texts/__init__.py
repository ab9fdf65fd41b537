"""Words one after the other: generation, translation, byte pairs.

Models and ways to choose a word become rounds, and calculations of those rounds that any pen can write.
"""
