/// Header tables, flat.
#pragma once
#include "camqp_base.h"

/// Kinds of field values (RabbitMQ's list: AMQP 0-9-1 section 4.2.5.5 and its errata).
typedef enum camqp_kind {
    CAMQP_KIND_VOID = 0,
    CAMQP_KIND_BOOLEAN,
    /// Any integer that fits `int64_t`.
    CAMQP_KIND_INTEGER,
    /// An unsigned integer over the largest `int64_t`; `integer` holds its bits.
    CAMQP_KIND_LARGE_UNSIGNED,
    CAMQP_KIND_REAL,
    /// `integer` is the unscaled value, `scale` the number of decimal places.
    CAMQP_KIND_DECIMAL,
    /// Seconds since 1970 in `integer`.
    CAMQP_KIND_TIMESTAMP,
    CAMQP_KIND_STRING,
    CAMQP_KIND_BYTES,
    /// `integer` counts the entries of the nested value; they are not reported, whatever their depth.
    CAMQP_KIND_TABLE,
    CAMQP_KIND_ARRAY
} camqp_kind;

/// A header with its value.
typedef struct camqp_header {
    camqp_bytes name;
    camqp_kind kind;
    uint8_t scale;
    int64_t integer;
    double real;
    camqp_bytes bytes;
} camqp_header;

/// The first header of that name, or NULL.
const camqp_header *camqp_find_header(const camqp_header *headers, size_t count, const char *name);
