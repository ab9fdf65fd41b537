"""The sheet becomes HTML and PDF.

In: a sheet and a view. Out: documents. It decides nothing about their content.
"""
