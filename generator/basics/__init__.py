"""What every room needs: numbers as German text, names of cells, fonts, files, errors.

In: values, paths. Out: text, files. It knows no option and no sheet.
"""
