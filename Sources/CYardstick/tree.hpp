/* A widget's content as a tree in two blocks of memory that are used again: values, and the bytes of their texts. */
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yardsticks {

enum class kind : uint8_t { null, no, yes, integer, natural, real, string, array, object };

constexpr uint32_t none = UINT32_MAX;

struct text {
    uint32_t start;
    uint32_t length;
};

struct value {
    enum kind kind = kind::null;
    uint32_t next = none; /* of the same array or object */
    text name{0, 0};
    union {
        int64_t integer = 0;
        uint64_t natural;
        double real;
        text string;
        struct {
            uint32_t first;
            uint32_t count;
        } children;
    };
};

struct tree {
    std::vector<value> values;
    std::string bytes;

    void clear() {
        values.clear();
        bytes.clear();
    }

    std::string_view view(text text) const { return {bytes.data() + text.start, text.length}; }

    text keep(std::string_view string) {
        text text{(uint32_t)bytes.size(), (uint32_t)string.size()};
        bytes.append(string);
        return text;
    }

    uint32_t add(enum kind kind) {
        values.push_back({});
        values.back().kind = kind;
        if (kind == kind::array || kind == kind::object) values.back().children = {none, 0};
        return (uint32_t)values.size() - 1;
    }

    /* Appends a child; `last` is the one before, `none` for the first. */
    void append(uint32_t parent, uint32_t &last, uint32_t child) {
        if (last == none)
            values[parent].children.first = child;
        else
            values[last].next = child;
        last = child;
        values[parent].children.count++;
    }
};

}  // namespace yardsticks
