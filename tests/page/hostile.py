"""What a hostile client does with plain sockets, and how quick the page stays meanwhile."""

import contextlib
import http.client
import resource
import socket
import time


@contextlib.contextmanager
def many_files(number):
    """This process may have so many files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, number), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.contextmanager
def connected(port, number, sent=b"", source="127.0.0.1"):
    """So many connections, each of which says this and nothing more; source: one of this computer's."""
    made = []
    try:
        for _ in range(number):
            with contextlib.suppress(OSError):
                made.append(socket.create_connection(("127.0.0.1", port), 5, (source, 0)))
                made[-1].sendall(sent)
        yield made
    finally:
        for each in made:
            each.close()


def seconds_for(port, path, host, source="127.0.0.1"):
    """How long a request takes that somebody else sends; its status."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    connection.request("GET", path, headers={"Host": host})
    status = connection.getresponse().status
    connection.close()
    return time.perf_counter() - begun, status
