#include "camqp_private.h"

static bool set_value(amqp_field_value_t *value, const camqp_header *header) {
    switch (header->kind) {
    case CAMQP_KIND_VOID:
        value->kind = AMQP_FIELD_KIND_VOID;
        return true;
    case CAMQP_KIND_BOOLEAN:
        value->kind = AMQP_FIELD_KIND_BOOLEAN;
        value->value.boolean = header->integer != 0;
        return true;
    case CAMQP_KIND_INTEGER:
        // Always 64 bits: RabbitMQ compares arguments by value, yet a narrow type could not hold every value.
        value->kind = AMQP_FIELD_KIND_I64;
        value->value.i64 = header->integer;
        return true;
    case CAMQP_KIND_REAL:
        value->kind = AMQP_FIELD_KIND_F64;
        value->value.f64 = header->real;
        return true;
    case CAMQP_KIND_TIMESTAMP:
        value->kind = AMQP_FIELD_KIND_TIMESTAMP;
        value->value.u64 = (uint64_t)header->integer;
        return true;
    case CAMQP_KIND_STRING:
    case CAMQP_KIND_BYTES:
        value->kind = header->kind == CAMQP_KIND_STRING ? AMQP_FIELD_KIND_UTF8 : AMQP_FIELD_KIND_BYTES;
        value->value.bytes = camqp_library_bytes(header->bytes);
        return true;
    default:
        return false;
    }
}

// The library's table over `entries`; CAMQP_INVALID when there are too many or one is of a kind that is not sent.
camqp_status camqp_make_table(
    const camqp_header *headers, size_t count, amqp_table_entry_t *entries, size_t limit, amqp_table_t *table) {
    if (count > limit) return CAMQP_INVALID;
    for (size_t index = 0; index < count; index++) {
        if (headers[index].name.count > CAMQP_SHORT_TEXT) return CAMQP_INVALID;
        entries[index].key = camqp_library_bytes(headers[index].name);
        if (!set_value(&entries[index].value, &headers[index])) return CAMQP_INVALID;
    }
    *table = (amqp_table_t){.num_entries = (int)count, .entries = entries};
    return CAMQP_OK;
}
