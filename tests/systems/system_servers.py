"""What the programs of a system work on: one server, or with --servers N that many on one PostgreSQL, which die too."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cluster"))

# pylint: disable=wrong-import-position
from postgres import Postgres
from servers import Server


class SystemServers:
    def __init__(self, stator, where, count):
        """`where` is for a single server: the arguments that say where its data is."""
        self.database = Postgres() if count else None
        if self.database:
            where = ["--store", self.database.url()]
        self.servers = [Server(stator, where) for _ in range(count or 1)]
        for server in self.servers:
            server.start()
        self._client = None
        self.kills = 0

    def are_killed(self):
        """Whether programs may find their server dead."""
        return self.database is not None

    def endpoint(self, dice=None):
        return (dice.choice(self.servers) if dice else self.servers[0]).endpoint

    def client(self):
        """Of the first server, until a server is killed."""
        self._client = self._client or self.servers[0].client()
        return self._client

    def kill_one(self, dice):
        """It is back when this returns. How many were killed."""
        if not self.are_killed():
            return 0
        self._forget_client()
        server = dice.choice(self.servers)
        server.kill()
        server.start()
        self.kills += 1
        return 1

    def _forget_client(self):
        if self._client:
            self._client.close()
        self._client = None

    def end(self):
        """Stops the servers and looks how they did."""
        self._forget_client()
        try:
            for server in self.servers:
                server.stop()
                lines = server.unexpected_lines([])
                assert not lines, "\n".join(lines)
        finally:
            for server in self.servers:
                if server.is_running():
                    server.kill()
                server.log.close()
            if self.database:
                self.database.__exit__()


def parse_arguments(rounds):
    """STATOR PROGRAM [ROUNDS] [--servers N]"""
    parser = argparse.ArgumentParser()
    parser.add_argument("stator")
    parser.add_argument("program")
    parser.add_argument("rounds", type=int, nargs="?", default=rounds)
    parser.add_argument("--servers", type=int, default=0, help="so many on one PostgreSQL, killed as well")
    return parser.parse_args()
