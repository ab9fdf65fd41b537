"""Rounding policies: how a value is written down, exactly, as at school, by a pupil, by careless ones.

In: values with names. Out: what the next step reads, and a trace. It knows no formula.

`ExactPen` rounds nothing, `SchoolPen` as the key does. From a pupil's numbers `PupilPen` goes on, and
`FloatPen`, quicker and also where a step is exchanged. `CarelessPen` is a class of pupils, `CountingPen`
counts keys. A pen of one question stands beside it: `StatisticsPen`, `ProbePen` (what is accepted),
`OwnNumbersPen`, `AcceptedPen` (what follows from own numbers), `AliasPen` (cells that are one number),
`GridPen` (training).
"""
