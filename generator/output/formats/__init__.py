"""The sheet for those who carry on elsewhere: in another program, at a braille display, on a platform.

In: the finished pages as HTML and the record of their exercises. Out: the bytes of further files. Each format
is one writer in a file of its own and one line in `options/declaration.py`; none has a rule of its own.
"""
