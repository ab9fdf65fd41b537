"""Pictures as SVG, in black and white: the canvas, its parts, and the figures that several stations draw.

In: the desk's numbers. Out: figures of the sheet. No station is known here.
"""
