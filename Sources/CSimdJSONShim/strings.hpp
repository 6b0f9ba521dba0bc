/* JSON strings: escapes read and written again in their shortest form. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simdjson_shim.h"

namespace widget_json {

inline int hex_digit(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The four digits after \u, or -1. */
inline int32_t code_unit(const uint8_t *digits, const uint8_t *end) {
    if (end - digits < 4) return -1;
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(digits[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

inline uint8_t *put_utf8(uint8_t *out, uint32_t scalar) {
    if (scalar < 0x80) {
        *out++ = (uint8_t)scalar;
    } else if (scalar < 0x800) {
        *out++ = (uint8_t)(0xC0 | scalar >> 6);
        *out++ = (uint8_t)(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        *out++ = (uint8_t)(0xE0 | scalar >> 12);
        *out++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        *out++ = (uint8_t)(0x80 | (scalar & 0x3F));
    } else {
        *out++ = (uint8_t)(0xF0 | scalar >> 18);
        *out++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
        *out++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        *out++ = (uint8_t)(0x80 | (scalar & 0x3F));
    }
    return out;
}

/* What must stay escaped (RFC 8259 section 7): quotation mark, reverse solidus, control characters. */
inline uint8_t *put_scalar(uint8_t *out, uint32_t scalar, bool &escaped) {
    static const char digits[] = "0123456789abcdef";
    if (scalar >= 0x20 && scalar != '"' && scalar != '\\') return put_utf8(out, scalar);
    escaped = true;
    *out++ = '\\';
    switch (scalar) {
    case '"':
    case '\\': *out++ = (uint8_t)scalar; break;
    case '\b': *out++ = 'b'; break;
    case '\f': *out++ = 'f'; break;
    case '\n': *out++ = 'n'; break;
    case '\r': *out++ = 'r'; break;
    case '\t': *out++ = 't'; break;
    default:
        memcpy(out, "u00", 3);
        out[3] = (uint8_t)digits[scalar >> 4];
        out[4] = (uint8_t)digits[scalar & 15];
        out += 5;
    }
    return out;
}

/* Rewrites the string between its quotes. The result is never longer than the input. Returns the new end of `out`,
 * or NULL with `status` and `fault` (a place in the input) set. */
inline uint8_t *put_string(uint8_t *out, const uint8_t *from, const uint8_t *end, bool &escaped,
                           simdjson_shim_status &status, const uint8_t *&fault) {
    escaped = false;
    while (from < end) {
        const uint8_t *backslash = (const uint8_t *)memchr(from, '\\', (size_t)(end - from));
        size_t plain = (size_t)((backslash ? backslash : end) - from);
        memcpy(out, from, plain);
        out += plain;
        from += plain;
        if (!backslash) break;
        fault = from;
        status = SIMDJSON_SHIM_BAD_ESCAPE;
        if (end - from < 2) return nullptr;
        uint32_t scalar = from[1];
        from += 2;
        switch (scalar) {
        case '"':
        case '\\':
        case '/': break;
        case 'b': scalar = '\b'; break;
        case 'f': scalar = '\f'; break;
        case 'n': scalar = '\n'; break;
        case 'r': scalar = '\r'; break;
        case 't': scalar = '\t'; break;
        case 'u': {
            int32_t unit = code_unit(from, end);
            if (unit < 0) return nullptr;
            from += 4;
            scalar = (uint32_t)unit;
            if (unit >= 0xD800 && unit < 0xE000) {
                status = SIMDJSON_SHIM_LONE_SURROGATE;
                if (unit >= 0xDC00 || end - from < 6 || from[0] != '\\' || from[1] != 'u') return nullptr;
                int32_t low = code_unit(from + 2, end);
                if (low < 0xDC00 || low >= 0xE000) return nullptr;
                from += 6;
                scalar = 0x10000 + (((uint32_t)unit - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
            }
            break;
        }
        default: return nullptr;
        }
        out = put_scalar(out, scalar, escaped);
    }
    return out;
}

}  // namespace widget_json
