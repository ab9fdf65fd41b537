"""Training: texts go in, weights that have learnt to continue them come out.

In: word IDs, sizes, where the vectors begin. Out: weights with one decimal, checked in school arithmetic. It
stands above `backward` and `judging`, uses their formulas and adds none of its own to the way forward.
"""
