/// What a message carries besides its address and its body (AMQP 0-9-1 section 1.8.1), in both directions.
#pragma once
#include "camqp_header.h"

typedef struct camqp_properties {
    camqp_bytes content_type;
    camqp_bytes content_encoding;
    camqp_bytes correlation_id;
    camqp_bytes reply_to;
    camqp_bytes message_id;
    camqp_bytes type;
    camqp_bytes user_id;
    bool has_timestamp;
    /// 0 when absent, 1 transient, 2 persistent.
    uint8_t delivery_mode;
    /// Seconds since 1970.
    uint64_t timestamp;
    const camqp_header *headers;
    size_t header_count;
} camqp_properties;
