"""A Redis server of a test's own."""

import contextlib
import socket
import subprocess
import tempfile
import time


class Redis:
    """One on a free port; gone at the end of its context."""

    def __init__(self, *settings):
        self.settings = settings
        self.server = None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        for _ in range(5):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
            if self.start():
                return self
        raise RuntimeError("redis-server does not start")

    def __exit__(self, *_):
        self.kill()
        self.folder.cleanup()

    def start(self):
        """Starts it, with what it has on disk."""
        self.server = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder.name,
             *self.settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end and self.server.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                # One that wants a password is there, too.
                if connection.recv(1) in b"+-":
                    return True
            time.sleep(0.02)
        return False

    def kill(self):
        """Ends it as a crash would."""
        self.server.kill()
        self.server.wait()
