#!/usr/bin/env bash
# Sends an update and reads its receipt, with amqp-publish and amqp-consume (Debian: amqp-tools).
# amqp-publish sets neither `type` nor `message_id`: it can patch a widget, and a repeat is not recognised.
set -euo pipefail
url=${WIDGETD_AMQP_URL:-amqp://guest:guest@127.0.0.1:5672/%2f}
receipts=receipts.$$.$RANDOM

amqp-declare-queue --url="$url" -q "$receipts" >/dev/null
trap 'amqp-delete-queue --url="$url" -q "$receipts" >/dev/null' EXIT

amqp-publish --url="$url" --exchange=widgets.updates --routing-key=acme.oncall-pages --persistent \
    --content-type=application/json --reply-to="$receipts" \
    --body='{"content": {"value": 0.6, "subtitle": "6 of 10 acked"}}'

timeout 30 amqp-consume --url="$url" -q "$receipts" --count=1 cat # {"outcome":"accepted",…} or {"outcome":"rejected",…}
echo
