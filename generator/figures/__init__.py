"""Pictures of a calculation as SVG, in black and white.

In: the desk's numbers. Out: figures of the sheet. No station is known here.
"""
