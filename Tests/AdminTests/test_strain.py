"""What clients of the admin address cost the worker: next to nothing, however many, slow or half-open they are."""

import contextlib
import http.client
import signal
import socket
import threading
import unittest
from pathlib import Path

from _worker import URL, Worker, poll

MESSAGES = 5_000
ROUNDS = 12


class Clients:
    """Requests without end, streams that are read a few bytes at a time, and connections with half a request."""

    def __init__(self, port, streams):
        self.port = port
        self.requests = 0
        self.is_over = threading.Event()
        self.half = [self.connect(b"GET /livez HTTP/1.1\r\nHost: loc") for _ in range(10)]
        self.slow = [self.connect(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(streams)]
        self.threads = [threading.Thread(target=work) for work in (self.ask, self.ask, self.read_slowly)]
        for thread in self.threads:
            thread.start()

    def connect(self, request):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(request)
        connection.setblocking(False)
        return connection

    def ask(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        while not self.is_over.is_set():
            for path in ("/livez", "/metrics", "/api/status", "/api/widgets?limit=20"):
                connection.request("GET", path)
                connection.getresponse().read()
                self.requests += 1
        connection.close()

    def read_slowly(self):
        while not self.is_over.wait(0.05):
            for connection in self.slow:
                # Nothing there, or cut off by the worker for being slow.
                with contextlib.suppress(OSError):
                    connection.recv(64)

    def close(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        for connection in self.half + self.slow:
            connection.close()


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class StrainTests(unittest.TestCase):
    def setUp(self):
        self.worker, self.other = Worker(), Worker()
        for worker in (self.worker, self.other):
            self.addCleanup(worker.close)
            worker.wait_until_ready()
        self.sent = 0
        for number in range(50):
            self.worker.create(f"w-{number}", {"template": "progress", "value": 0.1})
        self.sent += 50
        self.wait_for_all()

    def wait_for_all(self):
        poll(lambda: f"widgetd_received_total {self.sent}\n" in self.worker.get("/metrics")[2])

    def cpu(self):
        """Nanoseconds of the worker's own thread (proc(5), schedstat)."""
        pid = self.worker.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0])

    def work(self, strained, streams=0):
        """Nanoseconds for a queue full of updates, which waits when the worker goes on, while clients ask `strained`."""
        clients = Clients(strained.port, streams)
        try:
            # A stopped worker takes nothing: so each run has the same batches.
            self.worker.process.send_signal(signal.SIGSTOP)
            for number in range(MESSAGES):
                self.worker.send(f"w-{number % 50}", {"content": {"value": number / MESSAGES}})
            self.sent += MESSAGES
            waiting = lambda: self.worker.channel.queue_declare(
                self.worker.updates, passive=True).method.message_count
            poll(lambda: waiting() >= MESSAGES - 1_000)
            before = self.cpu()
            self.worker.process.send_signal(signal.SIGCONT)
            self.wait_for_all()
            cost = self.cpu() - before
        finally:
            clients.close()
        self.assertGreater(clients.requests, 10)
        return cost

    def assert_cost(self, most, streams):
        """Clients of another worker keep the processors and their caches as busy, and cost this one nothing."""
        self.work(self.other)
        elsewhere, here = [], []
        # By turns, and the cheapest of each: a machine that is busy makes some dearer.
        for _ in range(ROUNDS):
            elsewhere.append(self.work(self.other))
            here.append(self.work(self.worker, streams))
            if min(here) < min(elsewhere) * most:
                break
        self.assertLess(min(here), min(elsewhere) * most, (elsewhere, here))

    def test_requests_and_half_open_connections_cost_the_workers_thread_at_most_5_percent(self):
        self.assert_cost(1.05, streams=0)

    def test_slow_readers_of_events_beside_them_cost_it_at_most_a_quarter(self):
        self.assert_cost(1.25, streams=10)


if __name__ == "__main__":
    unittest.main(verbosity=1)
