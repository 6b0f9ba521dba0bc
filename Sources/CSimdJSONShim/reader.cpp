/* The second stage: from the places of all tokens, which simdjson's first stage finds 64 bytes at a time (it also
 * checks UTF-8 and the control characters in strings), to a compact text and its nodes. simdjson's own second stage
 * turns numbers into doubles, and here they keep their text. */
#include "compact_text.hpp"
#include "simdjson_shim.h"
#include "strings.hpp"

#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

using namespace widget_json;

/* Called, these lambdas would keep all that they capture in memory. */
#define INLINED __attribute__((always_inline))

namespace {

enum kind : uint64_t { kind_null, kind_false, kind_true, kind_number, kind_string, kind_array, kind_object };

constexpr unsigned deepest = 64;
constexpr unsigned compared_one_by_one = 16;

uint64_t node(kind kind, bool escaped, size_t extent, size_t start, size_t length) {
    return kind | (uint64_t)escaped << 3 | (uint64_t)extent << 4 | (uint64_t)start << 24 | (uint64_t)length << 44;
}

bool is_white_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/* RFC 8259 section 6, the whole token. */
bool is_number(const uint8_t *p, const uint8_t *end) {
    if (p < end && *p == '-') p++;
    if (p == end || !is_digit(*p)) return false;
    if (*p++ != '0')
        while (p < end && is_digit(*p)) p++;
    if (p < end && *p == '.') {
        if (++p == end || !is_digit(*p)) return false;
        while (p < end && is_digit(*p)) p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        if (p == end || !is_digit(*p)) return false;
        while (p < end && is_digit(*p)) p++;
    }
    return p == end;
}

struct name {
    const uint8_t *bytes;
    uint32_t length;
    uint32_t input_offset;
};

bool same(const name &left, const name &right) {
    return left.length == right.length && !memcmp(left.bytes, right.bytes, left.length);
}

/* An array or object that is still open. */
struct open_container {
    uint32_t node;
    uint32_t text_start;
    uint32_t first_name;
    bool is_object;
};

}  // namespace

struct simdjson_shim_reader {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
    size_t capacity = 0;
    std::unique_ptr<uint8_t[]> text;
    std::unique_ptr<uint64_t[]> nodes;
    size_t node_capacity = 0;
    size_t node_count = 0;
    std::vector<name> names;
    std::vector<name> sorted;

    bool reserve(size_t length) {
        if (length <= capacity && stages) return true;
        size_t wanted = std::max<size_t>(4096, length + length / 2);
        if (wanted > SIMDJSON_SHIM_LONGEST) wanted = SIMDJSON_SHIM_LONGEST;
        auto &implementation = *simdjson::get_active_implementation();
        if (implementation.create_dom_parser_implementation(wanted, deepest, stages)) return false;
        text.reset(new (std::nothrow) uint8_t[wanted + 64]);
        if (!text) return false;
        capacity = wanted;
        return true;
    }

    /* A node takes a token at least. */
    bool reserve_nodes() {
        size_t wanted = stages->n_structural_indexes;
        if (wanted <= node_capacity) return true;
        wanted = std::max<size_t>(256, wanted + wanted / 2);
        nodes.reset(new (std::nothrow) uint64_t[wanted]);
        node_capacity = nodes ? wanted : 0;
        return node_capacity > 0;
    }

    simdjson_shim_status first_stage(const uint8_t *bytes, size_t length) {
        switch (stages->stage1(bytes, length, simdjson::stage1_mode::regular)) {
        case simdjson::SUCCESS: return SIMDJSON_SHIM_OK;
        case simdjson::EMPTY: return SIMDJSON_SHIM_EMPTY;
        case simdjson::UTF8_ERROR: return SIMDJSON_SHIM_NOT_UTF8;
        case simdjson::UNCLOSED_STRING: return SIMDJSON_SHIM_UNCLOSED_STRING;
        case simdjson::UNESCAPED_CHARS: return SIMDJSON_SHIM_CONTROL_CHARACTER;
        case simdjson::MEMALLOC: return SIMDJSON_SHIM_NO_MEMORY;
        default: return SIMDJSON_SHIM_BAD_TOKEN;
        }
    }

    /* True when the newest name of the object whose names begin at `first` stands there already. Names of large
     * objects are compared once, sorted, when the object ends. */
    bool repeats_newest(size_t first) const {
        size_t last = names.size() - 1;
        if (last - first >= compared_one_by_one) return false;
        for (size_t i = first; i < last; i++)
            if (same(names[i], names[last])) return true;
        return false;
    }

    const name *repeated_among(size_t first) {
        if (names.size() - first <= compared_one_by_one) return nullptr;
        sorted.assign(names.begin() + (ptrdiff_t)first, names.end());
        std::sort(sorted.begin(), sorted.end(), [](const name &left, const name &right) {
            if (left.length != right.length) return left.length < right.length;
            int order = memcmp(left.bytes, right.bytes, left.length);
            return order ? order < 0 : left.input_offset < right.input_offset;
        });
        auto twin = std::adjacent_find(sorted.begin(), sorted.end(), same);
        return twin == sorted.end() ? nullptr : &*(twin + 1);
    }

    simdjson_shim_status second_stage(const uint8_t *bytes, size_t length, unsigned max_depth, bool refuse_duplicates,
                                      size_t &fault_offset, size_t &text_length);
};

simdjson_shim_status simdjson_shim_reader::second_stage(const uint8_t *bytes, size_t length, unsigned max_depth,
                                                        bool refuse_duplicates, size_t &fault_offset,
                                                        size_t &text_length) {
    const uint32_t *token = stages->structural_indexes.get();
    const uint32_t *const last_token = token + stages->n_structural_indexes;
    const bool has_escapes = memchr(bytes, '\\', length) != nullptr;
    compact_text compact{bytes, text.get(), 0, 0};
    uint64_t *const first_node = nodes.get();
    uint64_t *next_node = first_node;
    open_container open[deepest];
    unsigned depth = 0;
    simdjson_shim_status status = SIMDJSON_SHIM_OK;
    names.clear();

    auto fail = [&](simdjson_shim_status status, size_t offset) {
        fault_offset = offset;
        return status;
    };
    auto token_end = [&]() INLINED {
        size_t end = token + 1 < last_token ? token[1] : length;
        while (is_white_space(bytes[end - 1])) end--;
        return end;
    };
    /* Goes on to the next token: only white space stands between it and `end`. */
    auto advance = [&](size_t end) INLINED {
        token++;
        size_t next = token < last_token ? *token : length;
        if (next != end) compact.leave_out(end, next);
    };
    auto put_scalar_node = [&](kind kind, size_t start, size_t end) INLINED {
        *next_node++ = node(kind, false, 1, compact.place(start), end - start);
    };
    /* Adds the node of the string at `token` and goes on behind it. Its content, escapes in their shortest form, is at
     * `content.bytes` until the next read. */
    auto put_string_node = [&](name &content) INLINED {
        size_t start = *token, end = token_end();
        if (end - start < 2 || bytes[end - 1] != '"') {
            status = SIMDJSON_SHIM_BAD_TOKEN;
            fault_offset = start;
            return false;
        }
        size_t place = compact.place(start + 1), count = end - start - 2;
        bool escaped = false;
        content = {bytes + start + 1, (uint32_t)count, (uint32_t)start};
        if (has_escapes && memchr(bytes + start + 1, '\\', count)) {
            const uint8_t *fault = bytes + start;
            compact.copy_up_to(start + 1);
            content.bytes = compact.out + place;
            uint8_t *out = put_string(compact.out + place, bytes + start + 1, bytes + end - 1, escaped, status, fault);
            if (!out) {
                fault_offset = (size_t)(fault - bytes);
                return false;
            }
            count = (size_t)(out - content.bytes);
            content.length = (uint32_t)count;
            compact.go_on(out, end - 1);
        }
        *next_node++ = node(kind_string, escaped, 1, place, count);
        advance(end);
        return true;
    };

    if (*token != 0) compact.leave_out(0, *token);
value:
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    switch (bytes[*token]) {
    case '{':
    case '[': {
        if (depth == max_depth) return fail(SIMDJSON_SHIM_TOO_DEEP, *token);
        bool is_object = bytes[*token] == '{';
        open[depth++] = {(uint32_t)(next_node++ - first_node), (uint32_t)compact.place(*token), (uint32_t)names.size(),
                         is_object};
        advance(*token + 1);
        if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
        if (bytes[*token] == (is_object ? '}' : ']')) goto close;
        if (is_object) goto member;
        goto value;
    }
    case '"': {
        name ignored;
        if (!put_string_node(ignored)) return status;
        break;
    }
    case 't':
    case 'f':
    case 'n': {
        size_t start = *token, end = token_end();
        const char *word = bytes[start] == 't' ? "true" : bytes[start] == 'f' ? "false" : "null";
        if (end - start != strlen(word) || memcmp(bytes + start, word, end - start))
            return fail(SIMDJSON_SHIM_BAD_TOKEN, start);
        put_scalar_node(bytes[start] == 't' ? kind_true : bytes[start] == 'f' ? kind_false : kind_null, start, end);
        advance(end);
        break;
    }
    default: {
        size_t start = *token, end = token_end();
        if (bytes[start] != '-' && !is_digit(bytes[start])) return fail(SIMDJSON_SHIM_BAD_TOKEN, start);
        if (!is_number(bytes + start, bytes + end)) return fail(SIMDJSON_SHIM_BAD_NUMBER, start);
        put_scalar_node(kind_number, start, end);
        advance(end);
    }
    }

after_value:
    if (depth == 0) {
        if (token != last_token) return fail(SIMDJSON_SHIM_TRAILING, *token);
        compact.copy_up_to(length);
        text_length = compact.place(length);
        node_count = (size_t)(next_node - first_node);
        return SIMDJSON_SHIM_OK;
    }
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] == ',') {
        advance(*token + 1);
        if (open[depth - 1].is_object) goto member;
        goto value;
    }
    if (bytes[*token] != (open[depth - 1].is_object ? '}' : ']')) return fail(SIMDJSON_SHIM_BAD_TOKEN, *token);

close : {
    open_container &container = open[--depth];
    if (container.is_object) {
        if (refuse_duplicates)
            if (const name *twin = repeated_among(container.first_name))
                return fail(SIMDJSON_SHIM_DUPLICATE_NAME, twin->input_offset);
        names.resize(container.first_name);
    }
    size_t start = container.text_start, end = *token + 1;
    first_node[container.node] =
        node(container.is_object ? kind_object : kind_array, false, (size_t)(next_node - first_node) - container.node,
             start, compact.place(end) - start);
    advance(end);
    goto after_value;
}

member:
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] != '"') return fail(SIMDJSON_SHIM_BAD_TOKEN, *token);
    {
        size_t start = *token;
        name name;
        if (!put_string_node(name)) return status;
        if (refuse_duplicates) {
            names.push_back(name);
            if (repeats_newest(open[depth - 1].first_name)) return fail(SIMDJSON_SHIM_DUPLICATE_NAME, start);
        }
    }
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] != ':') return fail(SIMDJSON_SHIM_BAD_TOKEN, *token);
    advance(*token + 1);
    goto value;
}

simdjson_shim_reader *simdjson_shim_reader_new(void) { return new (std::nothrow) simdjson_shim_reader; }

void simdjson_shim_reader_free(simdjson_shim_reader *reader) { delete reader; }

simdjson_shim_result simdjson_shim_read(simdjson_shim_reader *reader, const uint8_t *bytes, size_t length,
                                        unsigned max_depth, int refuse_duplicate_names) {
    simdjson_shim_result result{};
    if (length == 0) {
        result.status = SIMDJSON_SHIM_EMPTY;
        return result;
    }
    if (length > SIMDJSON_SHIM_LONGEST) {
        result.status = SIMDJSON_SHIM_TOO_LONG;
        return result;
    }
    if (length >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3)) {
        result.status = SIMDJSON_SHIM_BYTE_ORDER_MARK;
        return result;
    }
    if (!reader->reserve(length)) {
        result.status = SIMDJSON_SHIM_NO_MEMORY;
        return result;
    }
    result.status = reader->first_stage(bytes, length);
    if (result.status == SIMDJSON_SHIM_OK && !reader->reserve_nodes()) result.status = SIMDJSON_SHIM_NO_MEMORY;
    if (result.status == SIMDJSON_SHIM_OK)
        result.status = reader->second_stage(bytes, length, std::min(max_depth, deepest), refuse_duplicate_names != 0,
                                             result.offset, result.text_length);
    result.text = reader->text.get();
    result.nodes = reader->nodes.get();
    result.node_count = reader->node_count;
    return result;
}
