#!/usr/bin/env ruby
# Sends an update and reads its receipt, with bunny (Debian: ruby-bunny; `gem install bunny`).
require "bunny"
require "json"
require "securerandom"

url = ENV.fetch("WIDGETD_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f")
update = { content: { value: 0.6, subtitle: "6 of 10 acked" } }

connection = Bunny.new(url).start
channel = connection.create_channel
channel.confirm_select
receipts = channel.queue("", exclusive: true)
arrived = Queue.new
receipts.subscribe { |_delivery, _properties, body| arrived << body }

channel.basic_publish(
  JSON.generate(update), "widgets.updates", "acme.oncall-pages",
  type: "widget.patch",
  message_id: SecureRandom.uuid, # send again with the same one when in doubt: nothing happens twice
  reply_to: receipts.name,
  content_type: "application/json",
  persistent: true,
  mandatory: true
)
abort "the broker did not take the update" unless channel.wait_for_confirms

Thread.new { sleep 30; arrived << nil }
receipt = arrived.pop or abort "no receipt within 30 s: does a worker run?"
puts receipt # {"outcome":"accepted",…} or {"outcome":"rejected",…}
connection.close
