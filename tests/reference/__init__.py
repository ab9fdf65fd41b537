"""Judge of the engine: the same calculation written a second time, with the standard library alone.

Nothing in this package imports engine/ or generator/ (compare.py alone asks the generator for documents).
"""

from .recomputation import differences, recompute

__all__ = ["differences", "recompute"]
