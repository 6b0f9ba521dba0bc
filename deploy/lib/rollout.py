"""The demo's client: sends a short rollout to a running worker and shows the fate of each message.

    rollout.py probe                        is there a broker that lets us in?
    rollout.py wait NAMES PID SECONDS       until the worker of that id consumes its queue
    rollout.py send NAMES PID SECONDS       the rollout
    rollout.py remove NAMES                 its queues and exchanges

The broker is WIDGETD_AMQP_URL. NAMES is what all names of the topology begin with: `widgets` for the usual ones.
Ends with 1 when an outcome is not the expected one, 3 without a broker, 4 when the worker has ended.
"""

import json
import logging
import os
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone

import pika
from pika.exceptions import AMQPError, ChannelClosedByBroker

ACCOUNT = "demo"
UNEXPECTED, NO_BROKER, WORKER_ENDED, INTERRUPTED = 1, 3, 4, 130


class Update:
    """One message to send, and what should become of it: accepted, repeated, or the code of a rejection."""

    def __init__(self, about, kind, slug, body, expected="accepted", message_id=None):
        self.about, self.kind, self.slug, self.expected = about, kind, slug, expected
        self.body = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.message_id = message_id or f"rollout-{uuid.uuid4()}"


def rollout(now):
    """Three widgets as an operations team would have them, their progress, and the mistakes that clients make."""

    def at(**offset):
        return (now + timedelta(**offset)).strftime("%Y-%m-%dT%H:%M:%SZ")

    pages = {
        "template": "progress", "value": 0.6, "label": "Pages", "subtitle": "6 of 10 acked · INC-2841",
        "icon": "checklist", "accent_color": "green",
        "stat_rows": [
            {"label": "Acked", "value": "6"},
            {"label": "Total", "value": "10"},
            {"label": "Severity", "value": "SEV-2"},
        ],
    }
    maintenance = {
        "template": "progress", "label": "Maintenance", "subtitle": "db-primary · read-only",
        "icon": "wrench.and.screwdriver.fill", "accent_color": "orange",
        "start_date": at(minutes=-10), "end_date": at(hours=2), "value": 0.0,
    }
    certificate = {
        "template": "countdown", "end_date": at(days=14), "start_date": at(days=-76), "expired_text": "Renewing",
        "label": "Cert renewal", "subtitle": "api.example.com", "icon": "lock.shield.fill", "accent_color": "indigo",
    }

    def create(slug, name, content):
        return Update("create", "widget.create", slug, {"slug": slug, "name": name, "content": content})

    def patch(about, slug, content, *outcome, **more):
        return Update(about, "widget.patch", slug, {"content": content}, *outcome, **more)

    acked = patch("value 0.8", "oncall-pages", {"value": 0.8, "subtitle": "8 of 10 acked · INC-2841"})
    return [
        create("oncall-pages", "On-call pages", pages),
        create("db-maintenance", "Maintenance window", maintenance),
        create("api-cert", "Certificate renewal", certificate),
        patch("value 0.7", "oncall-pages", {"value": 0.7, "subtitle": "7 of 10 acked · INC-2841"}),
        acked,
        patch("value 0.25", "db-maintenance", {"value": 0.25}),
        patch("value 42, a percentage", "oncall-pages", {"value": 42}, "widget.content_invalid"),
        patch("an unknown member", "oncall-pages", {"colour": "green"}, "widget.content_invalid"),
        patch("a slug nobody created", "oncall-page", {"value": 0.9}, "widget.not_found"),
        Update("not JSON", "widget.patch", "oncall-pages", b"value=0.9", "message.malformed"),
        Update("the same message again", "widget.patch", acked.slug, acked.body, "repeated", acked.message_id),
        patch("its id, other body", "oncall-pages", {"value": 0.9}, "message.id_conflict", message_id=acked.message_id),
        patch("value 1.0", "oncall-pages", {"value": 1.0, "subtitle": "10 of 10 acked · INC-2841"}),
    ]


def connect():
    parameters = [pika.URLParameters(url.strip()) for url in os.environ["WIDGETD_AMQP_URL"].split(",")]
    return pika.BlockingConnection(parameters)


def alive(pid):
    """A zombie is not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return not stat.read().rpartition(")")[2].strip().startswith("Z")
    except OSError:
        return False


def wait(names, pid, seconds):
    """A passive declare tells the number of consumers on any broker, without its tools or its management plugin."""
    connection, end = connect(), time.monotonic() + seconds
    while time.monotonic() < end:
        if not alive(pid):
            return WORKER_ENDED
        channel = connection.channel()
        try:
            if channel.queue_declare(f"{names}.updates", passive=True).method.consumer_count:
                return 0
            channel.close()
        except ChannelClosedByBroker:
            pass  # the worker has not declared the queue yet
        time.sleep(0.2)
    print(f"nobody consumes the queue {names}.updates after {seconds} s", file=sys.stderr)
    return UNEXPECTED


def send(names, pid, seconds):
    """Each message asks for a receipt: that is the one place where every fate is told, a repeated message's too."""
    channel = connect().channel()
    channel.confirm_delivery()
    receipts = channel.queue_declare("", exclusive=True).method.queue
    updates = rollout(datetime.now(timezone.utc))
    for number, update in enumerate(updates):
        properties = pika.BasicProperties(
            type=update.kind, message_id=update.message_id, content_type="application/json", delivery_mode=2,
            reply_to=receipts, correlation_id=str(number))
        channel.basic_publish(f"{names}.updates", f"{ACCOUNT}.{update.slug}", update.body, properties, mandatory=True)
    outcomes = collect(channel, receipts, len(updates), pid, seconds)
    if len(outcomes) < len(updates) and not alive(pid):
        return WORKER_ENDED
    surprises = [show(update, outcomes.get(number)) for number, update in enumerate(updates)].count(False)
    refused = sum(outcome["outcome"] == "rejected" for outcome in outcomes.values())
    states = sum(bool(outcome.get("changed")) and not outcome.get("duplicate") for outcome in outcomes.values())
    complete = arrived(channel, f"{names}.fanout", states) & arrived(channel, f"{names}.rejections", refused)
    if surprises:
        print(f"{surprises} outcomes are not the expected ones.", file=sys.stderr)
    return 0 if complete and not surprises else UNEXPECTED


def arrived(channel, queue, count, seconds=10):
    """Whether the queue gets as many messages. They stay there: whoever keeps the demo running may look at them."""
    end = time.monotonic() + seconds
    while (there := channel.queue_declare(queue, passive=True).method.message_count) < count and time.monotonic() < end:
        time.sleep(0.1)
    print(f"  queue {queue}: {there} messages" + ("" if there == count else f"   (expected: {count})"))
    return there == count


def collect(channel, receipts, count, pid, seconds):
    """Receipts by the number of their message, until all are there."""
    outcomes, end = {}, time.monotonic() + seconds
    for _, properties, body in channel.consume(receipts, auto_ack=True, inactivity_timeout=0.5):
        if body is not None:
            outcomes[int(properties.correlation_id)] = json.loads(body)
        if len(outcomes) == count or time.monotonic() > end or not alive(pid):
            break
    channel.cancel()
    return outcomes


def show(update, outcome):
    """One line; False when the outcome is not the expected one."""
    if outcome is None:
        fate, word, text = None, "no answer", ""
    elif outcome["outcome"] == "rejected":
        fate, word, text = outcome["code"], "refused", f"{outcome['code']}: {outcome.get('detail', '')}"
    else:
        fate = word = "repeated" if outcome.get("duplicate") else "accepted"
        text = f"revision {outcome['revision']}, changed: {members(outcome.get('changed', []))}"
    surprise = "" if fate == update.expected else f"   (expected: {update.expected})"
    print(f"  {word:9}  {update.slug:15} {update.about:24} {text}{surprise}")
    return not surprise


def members(pointers):
    return ", ".join(pointer.rpartition("/")[2] for pointer in pointers) or "nothing"


def remove(names):
    channel = connect().channel()
    for queue in ("updates", "fanout", "rejections"):
        channel.queue_delete(f"{names}.{queue}")
    for exchange in ("updates", "accepted", "rejected"):
        channel.exchange_delete(f"{names}.{exchange}")
    return 0


def main(command, *arguments):
    if command == "probe":
        connect().close()
        return 0
    if command == "remove":
        return remove(arguments[0])
    names, pid, seconds = arguments
    return {"wait": wait, "send": send}[command](names, int(pid), float(seconds))


if __name__ == "__main__":
    logging.getLogger("pika").setLevel(logging.CRITICAL)  # what goes wrong is told below, once
    try:
        sys.exit(main(*sys.argv[1:]))
    except (AMQPError, OSError, ValueError) as error:
        # Several of pika's errors say nothing but their name.
        print(f"the broker: {type(error).__name__} {error}".strip(), file=sys.stderr)
        sys.exit(NO_BROKER)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
