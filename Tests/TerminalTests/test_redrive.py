"""`redrive` in a terminal, over rejections that lie in a queue: WIDGETD_TEST_AMQP_URL says where the broker is."""

import json
import os
import unittest
import uuid

import pika

from _terminal import BINARY, Terminal, run, shown

URL = os.environ.get("WIDGETD_TEST_AMQP_URL")
COUNT = 3_000


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class RedriveTests(unittest.TestCase):
    def setUp(self):
        self.queue, self.updates = (f"redrive-{uuid.uuid4().hex[:8]}.{name}" for name in ("rejections", "updates"))
        connection = pika.BlockingConnection(pika.URLParameters(f"{URL}?heartbeat=0"))
        self.channel = connection.channel()
        self.addCleanup(connection.close)
        for queue in (self.queue, self.updates):
            self.channel.queue_declare(queue, durable=True)
            self.addCleanup(self.channel.queue_delete, queue)
        self.env = {"WIDGETD_AMQP_URL": URL, "WIDGETD_REJECTIONS_QUEUE": self.queue}

    def reject(self, count):
        """Messages that came through the default exchange, so that they go straight back into a queue."""
        self.channel.confirm_delivery()
        for number in range(count):
            body = {
                "type": "about:blank", "title": "Not Found", "status": 404, "code": "widget.not_found",
                "detail": "there is no widget", "account": "acme", "slug": "oncall-pages", "message_id": f"m{number}",
                "received_at": "2026-11-30T12:03:10.250Z",
                "original": {"type": "widget.patch", "exchange": "", "routing_key": self.updates,
                             "body": {"slug": "oncall-pages", "name": f"n{number}"}}}
            properties = pika.BasicProperties(type="widget.rejected", message_id=f"rejected:m{number}")
            self.channel.basic_publish("", self.queue, json.dumps(body), properties)

    def counts(self):
        return [self.channel.queue_declare(queue, passive=True).method.message_count
                for queue in (self.queue, self.updates)]

    def test_a_bar_shows_how_far_it_is_and_goes(self):
        self.reject(COUNT)
        with Terminal(BINARY, "redrive", "--slug", "oncall-pages", env=self.env) as terminal:
            self.assertEqual(terminal.finish(), 0)
            drawn = terminal.raw.decode()
            self.assertIn("rejections", drawn)
            self.assertRegex(drawn, r"\d+ %")
            self.assertEqual(terminal.lines, [f"{COUNT} sent in, 0 refused, 0 others left in place"])
        self.assertEqual(self.counts(), [0, COUNT])
        _, properties, body = self.channel.basic_get(self.updates, auto_ack=True)
        self.assertEqual((properties.message_id, properties.type), ("redrive:rejected:m0", "widget.patch"))
        self.assertEqual((properties.headers, body), ({"account": "acme"}, b'{"slug":"oncall-pages","name":"n0"}'))

    def test_a_dry_run_is_a_table_that_fits(self):
        self.reject(3)
        terminal, status = shown("redrive", "--slug", "oncall-pages", "--dry-run", columns=60, env=self.env)
        self.assertEqual(status, 0)
        self.assertEqual(terminal.lines[0].split()[:2], ["RECEIVED", "WIDGET"])
        self.assertEqual(len(terminal.lines), 5)
        self.assertTrue(all("widget.not_found" in line for line in terminal.lines[1:4]), terminal.lines)
        self.assertEqual(self.counts(), [3, 0])

    def test_nothing_is_drawn_into_a_pipe(self):
        self.reject(200)
        done = run("redrive", "--slug", "oncall-pages", env=self.env)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr, "200 sent in, 0 refused, 0 others left in place\n")


if __name__ == "__main__":
    unittest.main()
