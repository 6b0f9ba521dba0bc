#!/usr/bin/env python3
"""Sends an update and reads its receipt, with pika (Debian: python3-pika; PyPI: pika)."""

import json
import os
import sys
import time
import uuid

import pika

url = os.environ.get("WIDGETD_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f")
update = {"content": {"value": 0.6, "subtitle": "6 of 10 acked"}}

with pika.BlockingConnection(pika.URLParameters(url)) as connection:
    channel = connection.channel()
    channel.confirm_delivery()  # publishing fails when the broker does not take the message
    # Receipts come straight back over this channel, without a queue: consume before publishing.
    receipts = []
    channel.basic_consume("amq.rabbitmq.reply-to", lambda *delivery: receipts.append(delivery[-1]), auto_ack=True)
    properties = pika.BasicProperties(
        type="widget.patch",
        message_id=str(uuid.uuid4()),  # send again with the same one when in doubt: nothing happens twice
        reply_to="amq.rabbitmq.reply-to",
        content_type="application/json",
        delivery_mode=2,  # persistent
    )
    channel.basic_publish("widgets.updates", "acme.oncall-pages", json.dumps(update), properties, mandatory=True)
    end = time.monotonic() + 30
    while not receipts and time.monotonic() < end:
        connection.process_data_events(time_limit=1)
    if not receipts:
        sys.exit("no receipt within 30 s: does a worker run?")
    print(receipts[0].decode())  # {"outcome":"accepted",…} or {"outcome":"rejected",…}
