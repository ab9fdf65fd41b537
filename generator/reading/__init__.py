"""Reads filled-in paper sheets: scans and photos go in, out come answers with pictures.

Uses the marks and blanks of the layout (`output`), cells of the calculation, answers of `check`. It never
sees a right value while it reads. Writes only into the folder it is given. zxing-cpp and Pillow
are imported only here and only when a scan is read.
"""
