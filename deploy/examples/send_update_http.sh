#!/usr/bin/env bash
# Sends an update and reads its receipt over HTTP, with curl and jq: RabbitMQ's management API (plugin
# rabbitmq_management). RabbitMQ means that API for tests and for a message now and then, not for a steady stream.
set -euo pipefail
api=${RABBITMQ_API:-http://guest:guest@127.0.0.1:15672/api}
host=%2f # the virtual host /
receipts=receipts.$$.$RANDOM

call() { # call METHOD PATH [JSON]
    curl --silent --show-error --fail --request "$1" --header 'content-type: application/json' "$api/$2" \
        ${3:+--data "$3"}
}

call PUT "queues/$host/$receipts" '{"arguments": {"x-expires": 60000}}'
trap 'call DELETE "queues/$host/$receipts"' EXIT

update='{"content": {"value": 0.6, "subtitle": "6 of 10 acked"}}'
publication=$(jq --null-input --arg payload "$update" --arg receipts "$receipts" --arg id "curl-$$-$RANDOM" '{
    routing_key: "acme.oncall-pages", payload: $payload, payload_encoding: "string",
    properties: {type: "widget.patch", message_id: $id, reply_to: $receipts, delivery_mode: 2,
                 content_type: "application/json"}}')
call POST "exchanges/$host/widgets.updates/publish" "$publication" | jq --exit-status .routed >/dev/null

for _ in {1..100}; do
    found=$(call POST "queues/$host/$receipts/get" '{"count": 1, "ackmode": "ack_requeue_false", "encoding": "auto"}')
    [[ $found == "[]" ]] || break
    sleep 0.1
done
jq --raw-output --exit-status '.[0].payload' <<<"$found" # {"outcome":"accepted",…} or {"outcome":"rejected",…}
