"""The page in the browser, for teachers: type a sentence, see the sheet, print it, check what pupils wrote.

In: HTTP requests. Out: pages, previews, files, jobs for worker processes. It owns no rule: what is possible
stands in `options`, what is made is made by `production`, what is right is said by `check`. `settings` is one
record for a run; `server.create_app(settings)` puts the routes together; `connections` counts who is
connected, and `guard` stands before every route (host, session, CSRF, CSP, sizes, rates); `services` is what
routes share; `viewing`, `work` and `reviewing` run in worker processes (`workers`, called by name) and are
all that calculates. Starlette and uvicorn are imported here and nowhere else, and NumPy only in worker
processes: the page is there at once, and other commands do not wait for its libraries.

Lessons have a folder of their own, `lesson/`; their pupils' routes lie under /stunde/, as `guard.OPEN` names.
Beyond this computer only `guard.only_open(app)` may listen.
"""
