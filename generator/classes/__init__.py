"""A class: one variant for each pupil, equally hard, bound for the copier, and what is needed to mark them.

In: options and names. Out: orders for an executor, finished files. Names stand on the worksheets,
in overview and manifest, and nowhere else.
"""
