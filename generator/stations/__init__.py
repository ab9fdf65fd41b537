"""The course: what each station shows, asks and expects.

In: the desk. Out: stations of the sheet. They print numbers; they compute none.
"""
