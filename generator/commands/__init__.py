"""The commands, thin: parse, call, print.

In: the words of a command line. Out: files, text, an exit status. No rule lives here.
"""
