"""Fan-outs, rejections and receipts of a real worker as they come from the broker: traces, headers, how many."""

import collections
import json
import sys
import time
import unittest
from pathlib import Path

import pika

sys.path.append(str(Path(__file__).resolve().parents[1] / "AdminTests"))
from _worker import URL, Worker, poll  # noqa: E402 the other folder has to be on the path first

DIRECT_REPLY_TO = "amq.rabbitmq.reply-to"


def trace(number):
    return {"traceparent": f"00-0af7651916cd43dd8448eb211c80319c-{number:016x}-01", "tracestate": f"vendor={number}"}


def trace_of(properties):
    return {name: value for name, value in properties.headers.items() if name in ("traceparent", "tracestate")}


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class OutcomeTests(unittest.TestCase):
    def worker(self, throttle):
        worker = Worker("--default-throttle", str(throttle))
        self.addCleanup(worker.close)
        worker.wait_until_ready()
        self.receipts = []
        # Direct reply-to wants its consumer on the sender's channel, and takes no acknowledgements
        # (https://www.rabbitmq.com/docs/direct-reply-to).
        worker.channel.basic_consume(
            DIRECT_REPLY_TO, lambda _, __, properties, body: self.receipts.append((properties, json.loads(body))),
            auto_ack=True)
        return worker

    def take(self, worker, queue, count):
        """The next messages of a queue, properties and body each."""
        found = []

        def is_whole():
            worker.connection.process_data_events()
            while (got := worker.channel.basic_get(queue, auto_ack=True))[0]:
                found.append((got[1], json.loads(got[2])))
            return len(found) >= count

        poll(is_whole, f"{queue} has fewer than {count} messages")
        return found

    def test_a_receipt_comes_by_direct_reply_to_for_each_fate(self):
        worker = self.worker(0)
        body = {"name": "Pages", "content": {"template": "progress", "value": 0.5}}
        reply = {"reply_to": DIRECT_REPLY_TO}
        worker.send("pages", body, "widget.create", message_id="m-1", correlation_id="c-1", **reply)
        worker.send("pages", body, "widget.create", message_id="m-1", correlation_id="c-2", **reply)
        worker.send("pages", {"content": {"value": 7}}, message_id="m-2", headers={"sequence": 3}, **reply)
        worker.send("pages", {}, "widget.delete", headers={"sequence": 4}, **reply)
        worker.send("pages", body, "widget.create", headers={"sequence": 4}, message_id="m-3", **reply)
        poll(lambda: worker.connection.process_data_events() or len(self.receipts) == 5, "not all receipts")
        self.assertEqual(
            [(p.correlation_id, p.message_id, b["outcome"], b.get("revision"), b.get("code"), b.get("duplicate"))
             for p, b in self.receipts],
            [("c-1", "receipt:m-1", "accepted", 1, None, None), ("c-2", "receipt:m-1", "accepted", 1, None, True),
             ("m-2", "receipt:m-2", "rejected", None, "widget.content_invalid", None),
             (None, None, "accepted", 2, None, None),
             ("m-3", "receipt:m-3", "rejected", None, "widget.sequence_stale", None)])
        self.assertNotIn("original", self.receipts[2][1])

    def test_every_outcome_carries_its_trace(self):
        worker = self.worker(0)
        sent = ((1, "pages", {"name": "P", "content": {"template": "value", "value": 1}}, "widget.create"),
                (1, "pages", {"name": "P", "content": {"template": "value", "value": 1}}, "widget.create"),
                (2, "pages", {"content": {"value": "x"}}, None), (3, "pages", {}, "widget.delete"))
        for number, slug, body, kind in sent:
            worker.send(slug, body, kind, message_id=f"m-{number}", headers=trace(number), reply_to=DIRECT_REPLY_TO)
        poll(lambda: worker.connection.process_data_events() or len(self.receipts) == 4, "not all receipts")
        self.assertEqual([trace_of(p) for p, _ in self.receipts], [trace(number) for number in (1, 1, 2, 3)])
        self.assertEqual([trace_of(p) for p, _ in self.take(worker, worker.accepted, 2)], [trace(1), trace(3)])
        self.assertEqual([trace_of(p) for p, _ in self.take(worker, worker.rejected, 1)], [trace(2)])

    def test_a_push_of_several_updates_has_the_newest_trace_and_counts_the_others(self):
        worker = self.worker(2)
        worker.send("pages", {"name": "P", "content": {"template": "value", "value": 1}}, "widget.create")
        for number in (2, 3, 4):
            worker.send("pages", {"content": {"value": number}}, headers=trace(number))
        first, second = self.take(worker, worker.accepted, 2)
        self.assertNotIn("coalesced", first[0].headers)
        self.assertEqual((second[1]["revision"], second[0].headers["coalesced"]), (4, 2))
        self.assertEqual(trace_of(second[0]), trace(4))

    def test_a_widget_is_pushed_at_most_once_a_window_and_ends_on_its_last_state(self):
        worker = self.worker(1)
        for number in range(100):
            worker.create(f"w-{number}", {"template": "progress", "value": 0})
        start = time.monotonic()
        for value in range(1, 101):
            for number in range(100):
                worker.send(f"w-{number}", {"content": {"value": value / 100}})
        poll(lambda: "widgetd_received_total 10100\n" in worker.get("/metrics")[2])
        poll(lambda: "widgetd_pending_fanouts 0\n" in worker.get("/metrics")[2])
        poll(lambda: "widgetd_outbox_batches 0\n" in worker.get("/metrics")[2])
        windows = time.monotonic() - start
        pushes = collections.defaultdict(list)
        for _, body in self.take(worker, worker.accepted, 200):
            pushes[body["slug"]].append(body["content"]["value"])
        self.assertEqual({values[-1] for values in pushes.values()}, {1})
        self.assertEqual(len(pushes), 100)
        # The create's push, and one at the end of each window that has begun.
        self.assertLessEqual(max(map(len, pushes.values())), 2 + windows)


if __name__ == "__main__":
    unittest.main(verbosity=1)
