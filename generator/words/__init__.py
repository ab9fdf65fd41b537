"""German words -> word classes -> small word vectors whose dimensions have a meaning.

In: tokens. Out: classes, vectors, corpora, each with where it comes from. No options, no files of users.
"""
