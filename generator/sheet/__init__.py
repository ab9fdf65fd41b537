"""The sheet as a tree of stations, tables and blanks, and the desk that stations take their numbers from.

In: a calculation. Out: parts without HTML. It knows no station.
"""
