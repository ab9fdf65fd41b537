"""A PostgreSQL server that a test starts, crashes and freezes; it refuses to be root's."""

import contextlib
import os
import pwd
import shutil
import subprocess
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class Server:
    def __init__(self, folder):
        self.folder, self.data = folder, folder / "data"
        self.port = 20_000 + os.getpid() % 10_000  # none that a client is given while the server is away
        self.user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for each in (folder, *folder.parents):
                if not each.stat().st_mode & 0o001:  # on the way to its data
                    each.chmod(each.stat().st_mode | 0o011)
            shutil.chown(folder, "nobody")
        self._program("initdb", "-D", self.data, "-U", "schule", "--auth=trust", "-E", "UTF8", "--locale=C")
        self.start()

    def _program(self, name, *arguments):
        subprocess.run(
            [PROGRAMS[-1].parent / name, *arguments],
            env={**os.environ, "HOME": str(self.folder)},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self.user,
        )

    @property
    def address(self):
        return f"postgresql://schule@127.0.0.1:{self.port}/postgres"

    def start(self):
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._program("pg_ctl", "-D", self.data, "-o", options, "-w", "-l", self.folder / "log", "start")

    def crash(self):
        """Also where it has ended already."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._program("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
