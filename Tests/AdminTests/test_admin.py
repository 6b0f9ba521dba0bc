"""The admin address of a running worker: health with reasons, metrics, widgets, rejections, events, and who may ask."""

import ctypes
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from _worker import BINARY, ROOT, URL, Worker, poll

sys.path.append(str(ROOT / "Tests" / "TerminalTests"))
from _relay import Relay  # noqa: E402

# sys/ptrace.h, and waitpid(2) for threads.
PTRACE_ATTACH, PTRACE_DETACH, WALL = 16, 17, 0x40000000


def worker_test(*options, **settings):
    """Gives the test a worker, and wants it to end in order."""
    def wrap(test):
        def run(self):
            worker = Worker(*options, **settings)
            self.addCleanup(worker.close)
            test(self, worker)
            self.assertEqual(worker.stop(), 0, worker.log())
        run.__name__ = test.__name__
        return run
    return wrap


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class AdminTests(unittest.TestCase):
    @worker_test()
    def test_readiness_follows_the_facts_and_says_why(self, worker):
        worker.wait_until_ready()
        self.assertEqual(worker.json("/readyz"), {"ready": True, "reasons": []})
        self.assertEqual(worker.get("/livez")[0], 200)
        worker.channel.queue_delete(worker.accepted)
        worker.create("pages", {"template": "value"})
        found = poll(lambda: (lambda a: a if a[0] == 503 else None)(worker.get("/readyz")), "still ready")
        self.assertIn("1 outcomes reach no queue", json.loads(found[2])["reasons"][0])
        self.assertEqual(worker.get("/livez")[0], 200)
        worker.channel.queue_declare(worker.accepted, durable=True)
        worker.channel.queue_bind(worker.accepted, worker.accepted, "#")
        worker.wait_until_ready()
        # The worker is back sooner than anybody could ask.
        worker.channel.queue_delete(worker.updates)
        poll(lambda: 'not ready reasons="consumer: ' in worker.log(), "nothing is said of the lost queue")
        worker.wait_until_ready()

    @worker_test("--drain-timeout", "1", url="amqp://guest:guest@127.0.0.1:1/%2f")
    def test_a_broker_that_is_not_there_is_a_reason_and_no_death(self, worker):
        self.assertEqual(worker.get("/readyz")[0], 503)
        poll(lambda: "127.0.0.1:1" in worker.get("/readyz")[2], "the reason does not name the broker")
        poll(lambda: worker.get("/livez")[0] == 200)

    @worker_test()
    def test_metrics_count_what_was_done_and_promtool_accepts_them(self, worker):
        worker.wait_until_ready()
        worker.create("pages", {"template": "progress", "value": 0.5})
        worker.send("pages", {"content": {"value": 42}})
        worker.send("pages", {"content": {"value": 0.6}}, message_id="a", timestamp=1)
        worker.send("pages", {"content": {"value": 0.6}}, message_id="a")
        poll(lambda: "widgetd_received_total 4" in worker.get("/metrics")[2])
        worker.send("none", {"content": {"value": 0.6}})
        poll(lambda: "widgetd_received_total 5" in worker.get("/metrics")[2])
        poll(lambda: "widgetd_unacknowledged 0" in worker.get("/metrics")[2])
        status, headers, text = worker.get("/metrics")
        self.assertEqual(status, 200)
        self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        for sample in ('widgetd_accepted_total{template="progress"} 2', "widgetd_duplicates_total 1",
                       'widgetd_rejected_total{code="widget.content_invalid",template="progress"} 1',
                       'widgetd_rejected_total{code="widget.content_invalid",template="unknown"} 0',
                       'widgetd_rejected_total{code="widget.not_found",template="unknown"} 1',
                       'widgetd_cache_lookups_total{result="hit"} 3', 'widgetd_cache_lookups_total{result="miss"} 2',
                       "widgetd_fanouts_total 2", "widgetd_message_age_seconds_count 1", "widgetd_ready 1",
                       "widgetd_blocked 0"):
            self.assertIn(sample + "\n", text)
        checked = subprocess.run(
            ["promtool", "check", "metrics"], input=text, text=True, capture_output=True, check=False)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_metrics_tell_when_certificates_end_and_the_log_names_traces(self):
        parts = urlsplit(URL)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        relay = Relay(folder.name, (parts.hostname, parts.port), days=20)
        self.addCleanup(relay.close)
        url = (f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}"
               f"&certfile={relay.certificate}&keyfile={relay.key}")
        worker = Worker("--log-level", "debug", url=url)
        self.addCleanup(worker.close)
        worker.wait_until_ready()
        ends = dict(re.findall(r'widgetd_certificate_expiry_timestamp_seconds\{certificate="(\w+)"\} (\d+)\n',
                               worker.get("/metrics")[2]))
        self.assertEqual(set(ends), {"broker", "client"})
        for end in ends.values():
            self.assertAlmostEqual((int(end) - time.time()) / 86_400, 20, delta=0.01)
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        worker.send("none", {"content": {"value": 0.6}}, message_id="m-1", headers={"traceparent": trace})
        line = poll(lambda: re.search(r"rejected code=.*", worker.log()), "the log says nothing")[0]
        self.assertEqual(line, f"rejected code=widget.not_found account=acme slug=none message_id=rejected:m-1"
                               f' traceparent={trace} tracestate=""')

    @worker_test()
    def test_widgets_are_shown_as_they_are_fanned_out_but_for_secrets(self, worker):
        worker.wait_until_ready()
        action = {"url": "https://example.com/", "method": "POST", "headers": {"Authorization": "Bearer s3cret"}}
        worker.create("pages", {"template": "value", "value": 1, "url_action": action})
        worker.create("other", {"template": "value"})
        poll(lambda: len(worker.json("/api/widgets")) == 2)
        self.assertEqual([widget["slug"] for widget in worker.json("/api/widgets")], ["other", "pages"])
        self.assertEqual([w["slug"] for w in worker.json("/api/widgets?limit=1&after=acme/other")], ["pages"])
        self.assertEqual(worker.json("/api/widgets?account=nobody"), [])
        status, _, body = worker.get("/api/widgets/acme/pages")
        self.assertEqual(status, 200)
        self.assertNotIn("s3cret", body)
        self.assertEqual(json.loads(body)["content"]["url_action"]["headers"], {"Authorization": "[redacted]"})
        self.assertEqual(worker.get("/api/widgets/acme/none")[0], 404)
        self.assertEqual(worker.get("/api/widgets?limit=0")[0], 400)

    @worker_test()
    def test_rejections_stand_newest_first(self, worker):
        worker.wait_until_ready()
        for value in range(3):
            worker.send("none", {"content": {"value": value}}, message_id=f"m{value}")
        found = poll(lambda: (lambda r: r if len(r) == 3 else None)(worker.json("/api/rejections")))
        self.assertEqual([rejection["message_id"] for rejection in found], ["m2", "m1", "m0"])
        self.assertEqual(found[0]["original"]["body"], {"content": {"value": 2}})

    @worker_test()
    def test_events_come_as_they_happen_and_a_client_that_came_back_misses_none(self, worker):
        worker.wait_until_ready()
        stream = Stream(worker.port)
        self.addCleanup(stream.close)
        worker.create("pages", {"template": "progress", "value": 0.5})
        worker.send("pages", {"content": {"value": 42}})
        poll(lambda: stream.text.count("data: ") >= 2)
        self.assertRegex(stream.text, r"event: accepted\ndata: \{\"account\":\"acme\",\"slug\":\"pages\",\"revision\":1,")
        self.assertIn("event: rejected\n", stream.text)
        last = re.findall(r"id: (\d+)", stream.text)[-1]
        stream.close()
        worker.send("pages", {"content": {"value": 0.7}})
        poll(lambda: worker.json("/api/widgets/acme/pages")["revision"] == 2)
        again = Stream(worker.port, last)
        self.addCleanup(again.close)
        poll(lambda: '"revision":2' in again.text)

    @worker_test()
    def test_pages_of_other_names_may_not_ask(self, worker):
        self.assertEqual(worker.get("/livez", Host="evil.example")[0], 403)
        self.assertEqual(worker.get("/livez", Origin="https://evil.example")[0], 403)
        for host in ("localhost", "127.0.0.1:9", "[::1]:9"):
            self.assertNotEqual(worker.get("/livez", Host=host)[0], 403)

    @worker_test("--admin", "0.0.0.0:0", env={"WIDGETD_ADMIN_TOKEN": "open-sesame"})
    def test_an_open_address_wants_the_token_of_every_request(self, worker):
        for headers in ({}, {"Authorization": "Bearer open-sesam"}, {"Authorization": "Basic open-sesame"}):
            status, answered, _ = worker.get("/livez", **headers)
            self.assertEqual((status, answered["WWW-Authenticate"]), (401, "Bearer"))
        poll(lambda: worker.get("/livez", Authorization="Bearer open-sesame")[0] == 200)
        self.assertNotIn("open-sesame", worker.log())

    def test_an_open_address_without_a_token_is_refused(self):
        done = subprocess.run(
            [BINARY, "run", "--store", "memory:", "--admin", "0.0.0.0:0", "--amqp-url", "amqp://127.0.0.1:1"],
            capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("WIDGETD_ADMIN_TOKEN_FILE", done.stderr.splitlines()[-1])

    @worker_test()
    def test_what_is_not_there_or_not_taken_is_said(self, worker):
        self.assertEqual(worker.get("/nothing")[0], 404)
        status, headers, _ = worker.get("/metrics", method="POST")
        self.assertEqual((status, headers["Allow"]), (405, "GET"))
        self.assertEqual(worker.get("/api/widgets/%ff/x")[0], 404)
        self.assertIn("frame-ancestors 'none'", worker.get("/nothing")[1]["Content-Security-Policy"])
        self.assertEqual(worker.get("/metrics", method="POST", body="x" * (1 << 21))[0], 413)

    @worker_test()
    def test_the_worker_notices_that_its_admin_thread_hangs_and_works_on(self, worker):
        worker.wait_until_ready()
        tasks = f"/proc/{worker.process.pid}/task"
        thread = next(int(task) for task in os.listdir(tasks)
                      if Path(tasks, task, "comm").read_text(encoding="ascii").startswith("MHD"))
        # Traced, a thread alone is stopped, and the process goes on (ptrace(2)).
        trace = ctypes.CDLL(None, use_errno=True).ptrace
        self.assertEqual(trace(PTRACE_ATTACH, thread, None, None), 0, os.strerror(ctypes.get_errno()))
        try:
            poll(lambda: "error the admin address does not answer" in worker.log(), "nobody notices")
            worker.create("pages", {"template": "value"})
            poll(lambda: worker.channel.queue_declare(worker.accepted, passive=True).method.message_count == 1)
        finally:
            os.waitpid(thread, WALL)
            self.assertEqual(trace(PTRACE_DETACH, thread, None, None), 0, os.strerror(ctypes.get_errno()))
        poll(lambda: "info the admin address answers again" in worker.log(), "it stays silent")
        self.assertEqual(worker.get("/livez")[0], 200)

    @worker_test()
    def test_clients_that_hang_keep_nobody_waiting(self, worker):
        worker.wait_until_ready()
        hanging = [socket.create_connection(("127.0.0.1", worker.port)) for _ in range(20)]
        self.addCleanup(lambda: [connection.close() for connection in hanging])
        for connection in hanging:
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: loc")
        worker.create("pages", {"template": "value"})
        poll(lambda: worker.get("/api/widgets/acme/pages")[0] == 200)


class Stream:
    """Server-sent events, read on a thread of their own."""

    def __init__(self, port, last=None):
        self.text = ""
        self.socket = socket.create_connection(("127.0.0.1", port))
        header = f"Last-Event-ID: {last}\r\n" if last else ""
        self.socket.sendall(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\n{header}\r\n".encode())
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()
        poll(lambda: "text/event-stream" in self.text, "no stream")

    def read(self):
        try:
            while chunk := self.socket.recv(1 << 16):
                self.text += chunk.decode(errors="replace")
        except OSError:
            pass

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
        self.thread.join()


if __name__ == "__main__":
    unittest.main(verbosity=1)
