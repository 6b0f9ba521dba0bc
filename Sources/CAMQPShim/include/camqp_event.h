/// What arrives.
#pragma once
#include "camqp_message.h"

typedef enum camqp_event_kind {
    /// Nothing has arrived.
    CAMQP_EVENT_NONE = 0,
    CAMQP_EVENT_DELIVERY,
    /// The broker took (`positive`) or lost a publication, or all up to it (`multiple`).
    CAMQP_EVENT_CONFIRM,
    /// A publication that no queue took; its confirm follows.
    CAMQP_EVENT_RETURNED,
    /// The broker asks publishers to wait; `text` says why.
    CAMQP_EVENT_BLOCKED,
    CAMQP_EVENT_UNBLOCKED,
    /// The broker has ended the consumer `consumer_tag`, as after the deletion of its queue.
    CAMQP_EVENT_CONSUMER_CANCELLED,
    CAMQP_EVENT_CHANNEL_CLOSED,
    CAMQP_EVENT_CONNECTION_CLOSED,
    /// The connection failed; `camqp_last_error` has the rest. Repeats as long as it is asked.
    CAMQP_EVENT_FAILED
} camqp_event_kind;

/// One arrival. What a kind does not use is stale. Pointers stay valid until the next call on the connection.
typedef struct camqp_event {
    camqp_event_kind kind;
    /// Reply code of a return or of a close.
    uint16_t code;
    bool redelivered;
    bool multiple;
    bool positive;
    /// Of a confirm and of a return: the channel that `camqp_publish` was given.
    unsigned channel;
    /// Of a delivery; of a confirm: the number that `camqp_publish` gave.
    uint64_t tag;
    camqp_bytes exchange;
    camqp_bytes routing_key;
    camqp_bytes consumer_tag;
    camqp_properties properties;
    camqp_bytes body;
    /// Octets of the body over the limit, which were not kept.
    uint64_t dropped;
    /// A delivery whose headers the library cannot read: it comes without them and without its body, and nothing comes
    /// after it. The connection fails once it is acknowledged.
    bool unreadable;
    camqp_bytes text;
} camqp_event;

/// The next arrival, without waiting. Never NULL; the event is the connection's own.
const camqp_event *camqp_next_event(camqp_connection *connection);

/// Acknowledges a delivery, or all up to it. Goes out with the next flush.
camqp_status camqp_acknowledge(camqp_connection *connection, uint64_t tag, bool multiple);

/// Gives a delivery back, or all up to it. Goes out with the next flush.
camqp_status camqp_reject(camqp_connection *connection, uint64_t tag, bool multiple, bool requeue);
