/// Publishing.
#pragma once
#include "camqp_message.h"

typedef struct camqp_publication {
    /// Empty for the default exchange.
    camqp_bytes exchange;
    camqp_bytes routing_key;
    /// Headers may be strings, bytes, integers, booleans, reals, timestamps and void.
    camqp_properties properties;
    camqp_bytes body;
} camqp_publication;

/// Has the broker confirm what is published from now on. Once for a channel that is open.
///
/// - `count`: the channels that are wanted for it, at least 1; set to how many there are. A broker that allows fewer
///   (channel-max of connection.tune) gives fewer.
camqp_status camqp_select_confirms(camqp_connection *connection, unsigned *count);

/// Publishes with the mandatory flag: what no queue takes comes back. On plain sockets it is framed into a buffer and
/// goes out with the next flush; over TLS it goes out now.
///
/// - `channel`: from 0 up to the count of `camqp_select_confirms`; publications of one channel stay in order.
/// - `number`: set to the publication's number when confirms are selected, else to 0. Each channel counts its own from 1.
/// - Returns `CAMQP_INVALID`, with nothing sent, when a short text is over 255 octets or the properties do not fit a
///   frame; `CAMQP_WOULD_BLOCK` when the broker takes nothing at present.
camqp_status camqp_publish(
    camqp_connection *connection, unsigned channel, const camqp_publication *publication, uint64_t *number);
