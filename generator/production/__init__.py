"""What a run makes: one sheet with its key and teacher's pages, or a class set, one variant for each pupil.

In: checked options. Out: files, written together. It decides the order of the work and no content.
"""
