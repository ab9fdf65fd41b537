"""How often this process looks for garbage."""

import gc


def collect_rarely() -> None:
    """Much is made and little of it goes before the end: a tenth less to do."""
    gc.set_threshold(50_000, 50, 50)
