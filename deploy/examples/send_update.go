// Sends an update and reads its receipt, with amqp091-go (Debian: golang-github-rabbitmq-amqp091-go-dev;
// `go get github.com/rabbitmq/amqp091-go`).
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const update = `{"content": {"value": 0.6, "subtitle": "6 of 10 acked"}}`

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	url := os.Getenv("WIDGETD_AMQP_URL")
	if url == "" {
		url = "amqp://guest:guest@127.0.0.1:5672/%2f"
	}
	connection := must(amqp.Dial(url))
	defer connection.Close()
	channel := must(connection.Channel())
	// Receipts come straight back over this channel, without a queue: consume before publishing.
	receipts := must(channel.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	err := channel.PublishWithContext(ctx, "widgets.updates", "acme.oncall-pages", true, false, amqp.Publishing{
		Type:         "widget.patch",
		MessageId:    fmt.Sprintf("go-%d", time.Now().UnixNano()), // the same one again when in doubt: nothing happens twice
		ReplyTo:      "amq.rabbitmq.reply-to",
		ContentType:  "application/json",
		DeliveryMode: amqp.Persistent,
		Body:         []byte(update),
	})
	if err != nil {
		log.Fatal(err)
	}
	select {
	case receipt := <-receipts:
		fmt.Println(string(receipt.Body)) // {"outcome":"accepted",…} or {"outcome":"rejected",…}
	case <-ctx.Done():
		log.Fatal("no receipt within 30 s: does a worker run?")
	}
}
