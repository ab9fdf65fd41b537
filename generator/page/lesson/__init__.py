"""A lesson with phones: the class enters its numbers, the teacher sees who is where and what stops the class.

In: a sheet, and pupils' requests under /stunde/. Out: pages, verdicts, the class result of `pruefe`. `store`
keeps what pupils send (in one of the `databases`), and what it has acknowledged survives the end of the
process; `lessons` knows the lessons that are open (`opened`), `judge` has their papers judged by worker
processes (`judging`); `routes` are those of teacher and pupils; `listening` lets phones of the same
network in while a lesson is open, at no other time, and counts who guesses.
"""
