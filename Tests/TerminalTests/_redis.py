"""A Redis server of a test's own."""

import contextlib
import socket
import subprocess
import tempfile
import time


@contextlib.contextmanager
def redis(*settings):
    """Starts one on a free port and gives its port; it is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            server = subprocess.Popen(
                ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, *settings],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if answers(port, server):
                break
        try:
            yield port
        finally:
            server.kill()
            server.wait()


def answers(port, server):
    end = time.monotonic() + 20
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.sendall(b"PING\r\n")
            if connection.recv(7) == b"+PONG\r\n":
                return True
        time.sleep(0.02)
    return False
