"""Pupils' answers against a calculation.

In: answers and a calculation. Out: verdicts, points, a report. The rules are those of engine.judging.
"""
