/* The second stage: from the places of all tokens, which simdjson's first stage finds 64 bytes at a time (it also
 * checks UTF-8 and the control characters in strings), to a compact text and its nodes. simdjson's own second stage
 * turns numbers into doubles, and here they keep their text. */
#include "simdjson_shim.h"
#include "strings.hpp"

#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

using namespace widget_json;

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
    std::vector<uint64_t> nodes;
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
    uint8_t *const text_begin = text.get();
    uint8_t *out = text_begin;
    open_container open[deepest];
    unsigned depth = 0;
    nodes.clear();
    names.clear();

    auto fail = [&](simdjson_shim_status status, size_t offset) {
        fault_offset = offset;
        return status;
    };
    auto token_end = [&](const uint32_t *at) {
        size_t end = at + 1 < last_token ? at[1] : length;
        while (is_white_space(bytes[end - 1])) end--;
        return end;
    };
    /* Writes the string at `token` with its quotes and adds its node. */
    auto put_string_node = [&](simdjson_shim_status &status) {
        size_t start = *token, end = token_end(token);
        if (end - start < 2 || bytes[end - 1] != '"') {
            status = SIMDJSON_SHIM_BAD_TOKEN;
            fault_offset = start;
            return false;
        }
        bool escaped = false;
        const uint8_t *fault = bytes + start;
        *out++ = '"';
        uint8_t *content = out;
        out = put_string(out, bytes + start + 1, bytes + end - 1, escaped, status, fault);
        if (!out) {
            fault_offset = (size_t)(fault - bytes);
            return false;
        }
        nodes.push_back(node(kind_string, escaped, 1, (size_t)(content - text_begin), (size_t)(out - content)));
        *out++ = '"';
        return true;
    };
    simdjson_shim_status status = SIMDJSON_SHIM_OK;

value:
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    switch (bytes[*token]) {
    case '{':
    case '[': {
        if (depth == max_depth) return fail(SIMDJSON_SHIM_TOO_DEEP, *token);
        bool is_object = bytes[*token] == '{';
        open[depth++] = {(uint32_t)nodes.size(), (uint32_t)(out - text_begin), (uint32_t)names.size(), is_object};
        nodes.push_back(0);
        *out++ = bytes[*token++];
        if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
        if (bytes[*token] == (is_object ? '}' : ']')) goto close;
        if (is_object) goto member;
        goto value;
    }
    case '"':
        if (!put_string_node(status)) return status;
        break;
    case 't':
    case 'f':
    case 'n': {
        size_t start = *token, count = token_end(token) - start;
        const char *word = bytes[start] == 't' ? "true" : bytes[start] == 'f' ? "false" : "null";
        if (count != strlen(word) || memcmp(bytes + start, word, count)) return fail(SIMDJSON_SHIM_BAD_TOKEN, start);
        kind kind = bytes[start] == 't' ? kind_true : bytes[start] == 'f' ? kind_false : kind_null;
        nodes.push_back(node(kind, false, 1, (size_t)(out - text_begin), count));
        memcpy(out, word, count);
        out += count;
        break;
    }
    default: {
        size_t start = *token, end = token_end(token);
        if (bytes[start] != '-' && !is_digit(bytes[start])) return fail(SIMDJSON_SHIM_BAD_TOKEN, start);
        if (!is_number(bytes + start, bytes + end)) return fail(SIMDJSON_SHIM_BAD_NUMBER, start);
        nodes.push_back(node(kind_number, false, 1, (size_t)(out - text_begin), end - start));
        memcpy(out, bytes + start, end - start);
        out += end - start;
    }
    }
    token++;

after_value:
    if (depth == 0) {
        if (token != last_token) return fail(SIMDJSON_SHIM_TRAILING, *token);
        text_length = (size_t)(out - text_begin);
        return SIMDJSON_SHIM_OK;
    }
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] == ',') {
        *out++ = ',';
        token++;
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
    *out++ = bytes[*token++];
    size_t start = container.text_start;
    nodes[container.node] = node(container.is_object ? kind_object : kind_array, false, nodes.size() - container.node,
                                 start, (size_t)(out - text_begin) - start);
    goto after_value;
}

member:
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] != '"') return fail(SIMDJSON_SHIM_BAD_TOKEN, *token);
    {
        const uint8_t *content = out + 1;
        if (!put_string_node(status)) return status;
        names.push_back({content, (uint32_t)(out - 1 - content), *token});
        if (refuse_duplicates && repeats_newest(open[depth - 1].first_name))
            return fail(SIMDJSON_SHIM_DUPLICATE_NAME, *token);
    }
    token++;
    if (token == last_token) return fail(SIMDJSON_SHIM_UNCLOSED, length);
    if (bytes[*token] != ':') return fail(SIMDJSON_SHIM_BAD_TOKEN, *token);
    *out++ = ':';
    token++;
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
    if (result.status == SIMDJSON_SHIM_OK)
        result.status = reader->second_stage(bytes, length, std::min(max_depth, deepest), refuse_duplicate_names != 0,
                                             result.offset, result.text_length);
    result.text = reader->text.get();
    result.nodes = reader->nodes.data();
    result.node_count = reader->nodes.size();
    return result;
}
