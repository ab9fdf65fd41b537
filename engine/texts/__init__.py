"""Words one after the other: generation, translation, byte pairs.

In: models and ways to choose. Out: rounds, and passes that any pen can write.
"""
