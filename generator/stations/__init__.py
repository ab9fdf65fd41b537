"""The stations of the course: what each shows, asks and expects. They print numbers
of the calculation. Only what none of its quantities holds the engine computes for them: its pass with words
exchanged (stations 3 and 8) or with a head switched off (`guess.py`).

A station is a room. `station(desk, tasks)` in NAME/station.py gives back what templates/stations/NAME/
reads as `s.…` (pupils.html.j2, teachers.html.j2); NAME/figures.py has the pictures of that station alone.
The course in generator/options/course.py names it, and all else is found by that name. What several
stations use stands beside the rooms.
"""
