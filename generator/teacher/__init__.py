"""What is for the teacher alone: goals, effort, plan of the lessons, expected answers, mistakes.

In: a sheet and its calculation. Out: the parts of the teacher's pages.
"""
