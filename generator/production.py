"""What one run makes: all documents of a sheet, laid out, printed and written together.

In: options, or the code of a sheet. Out: the files of one folder, what there is to say of them, or the
calculation behind a code. Commands and the page call it; it puts the other rooms to work and owns no rule.
"""
