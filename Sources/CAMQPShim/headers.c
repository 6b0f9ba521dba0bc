#include "camqp_private.h"

#include <string.h>

static void set_unsigned(camqp_header *header, uint64_t value) {
    header->kind = value > INT64_MAX ? CAMQP_KIND_LARGE_UNSIGNED : CAMQP_KIND_INTEGER;
    header->integer = (int64_t)value;
}

static void set_integer(camqp_header *header, int64_t value) {
    header->kind = CAMQP_KIND_INTEGER;
    header->integer = value;
}

static void set_real(camqp_header *header, double value) {
    header->kind = CAMQP_KIND_REAL;
    header->real = value;
}

static void set_bytes(camqp_header *header, camqp_kind kind, amqp_bytes_t bytes) {
    header->kind = kind;
    header->bytes = camqp_own_bytes(bytes);
}

static void set_nested(camqp_header *header, camqp_kind kind, int entries) {
    header->kind = kind;
    header->integer = entries;
}

static void set_value(camqp_header *header, const amqp_field_value_t *value) {
    switch (value->kind) {
    case AMQP_FIELD_KIND_BOOLEAN:
        header->kind = CAMQP_KIND_BOOLEAN;
        header->integer = value->value.boolean ? 1 : 0;
        break;
    case AMQP_FIELD_KIND_I8: set_integer(header, value->value.i8); break;
    case AMQP_FIELD_KIND_U8: set_integer(header, value->value.u8); break;
    case AMQP_FIELD_KIND_I16: set_integer(header, value->value.i16); break;
    case AMQP_FIELD_KIND_U16: set_integer(header, value->value.u16); break;
    case AMQP_FIELD_KIND_I32: set_integer(header, value->value.i32); break;
    case AMQP_FIELD_KIND_U32: set_integer(header, value->value.u32); break;
    case AMQP_FIELD_KIND_I64: set_integer(header, value->value.i64); break;
    case AMQP_FIELD_KIND_U64: set_unsigned(header, value->value.u64); break;
    case AMQP_FIELD_KIND_F32: set_real(header, (double)value->value.f32); break;
    case AMQP_FIELD_KIND_F64: set_real(header, value->value.f64); break;
    case AMQP_FIELD_KIND_DECIMAL:
        header->kind = CAMQP_KIND_DECIMAL;
        header->integer = (int32_t)value->value.decimal.value;  // long-int in RabbitMQ's encoding
        header->scale = value->value.decimal.decimals;
        break;
    case AMQP_FIELD_KIND_TIMESTAMP:
        header->kind = CAMQP_KIND_TIMESTAMP;
        header->integer = (int64_t)value->value.u64;
        break;
    case AMQP_FIELD_KIND_UTF8: set_bytes(header, CAMQP_KIND_STRING, value->value.bytes); break;
    case AMQP_FIELD_KIND_BYTES: set_bytes(header, CAMQP_KIND_BYTES, value->value.bytes); break;
    case AMQP_FIELD_KIND_TABLE: set_nested(header, CAMQP_KIND_TABLE, value->value.table.num_entries); break;
    case AMQP_FIELD_KIND_ARRAY: set_nested(header, CAMQP_KIND_ARRAY, value->value.array.num_entries); break;
    default: header->kind = CAMQP_KIND_VOID; break;
    }
}

// The table's own entries, at most `limit`. Nested ones are counted and not entered, so depth costs nothing here.
size_t camqp_flatten(const amqp_table_t *table, camqp_header *headers, size_t limit) {
    size_t count = table->num_entries > 0 ? (size_t)table->num_entries : 0;
    if (count > limit) count = limit;
    for (size_t index = 0; index < count; index++) {
        const amqp_table_entry_t *entry = &table->entries[index];
        headers[index] = (camqp_header){.name = camqp_own_bytes(entry->key)};
        set_value(&headers[index], &entry->value);
    }
    return count;
}

const camqp_header *camqp_find_header(const camqp_header *headers, size_t count, const char *name) {
    size_t length = strlen(name);
    for (size_t index = 0; index < count; index++)
        if (headers[index].name.count == length && memcmp(headers[index].name.start, name, length) == 0)
            return &headers[index];
    return NULL;
}
