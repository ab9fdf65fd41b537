"""What a user asks for, from command line and file, checked once.

In: text. Out: one `Options` or a UserError. It calculates nothing.
"""
