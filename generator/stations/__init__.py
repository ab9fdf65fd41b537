"""The stations of the course: what each shows, asks and expects. They print numbers of the desk and compute none.

A station is a room: NAME/station.py, whose `station(desk, tasks)` gives back what templates/stations/NAME/ reads
as `s.…` (pupils.html.j2, teachers.html.j2), and NAME/figures.py where it has pictures of its own. The course
(generator/options/course.py) names it; all else is found by that name. What several stations use stands beside.
"""
