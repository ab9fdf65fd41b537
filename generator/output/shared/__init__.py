"""One layout, many documents: a sheet is laid out once and written with other numbers.

`layouts` is the way in and keeps them; a class set would take three times as long without it.
"""
