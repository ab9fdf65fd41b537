"""rechnung.json, written and read back.

In: a calculation or a file. Out: the file, or the calculation computed anew. It lays nothing out.
"""
