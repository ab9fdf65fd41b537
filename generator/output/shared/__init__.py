"""One layout, many documents: a sheet is laid out once and written with other numbers.

`shared_layout` is the way in; a class set would take three times as long without it.
"""
