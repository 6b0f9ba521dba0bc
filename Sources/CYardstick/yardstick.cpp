/* The peer's own job: look a widget up, merge, check by hand, write. */
#include "yardstick.h"

#include <charconv>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "merge.hpp"

using namespace yardsticks;

namespace {

/* Two trees, so that a merge that turns out wrong leaves the widget as it was. */
struct widget {
    tree trees[2];
    int current = 0;
    uint32_t root = none;
};

bool is_text(const tree &tree, const value &value, size_t most) {
    if (value.kind != kind::string) return false;
    if (value.string.length <= most) return true;
    size_t points = 0;
    for (unsigned char byte : tree.view(value.string)) points += (byte & 0xC0) != 0x80;
    return points <= most;
}

bool is_shown_text(const tree &tree, const value &value, size_t most) {
    return is_text(tree, value, most) && tree.view(value.string).find_first_not_of(" \t\r\n") != std::string_view::npos;
}

bool is_color(std::string_view name) {
    static constexpr std::string_view names[] = {"red",  "orange", "yellow", "green", "blue", "purple",
                                                 "pink", "indigo", "teal",   "cyan",  "mint", "brown"};
    for (std::string_view known : names)
        if (name == known) return true;
    return false;
}

bool are_rows(const tree &tree, const value &rows) {
    if (rows.kind != kind::array || rows.children.count > 6) return false;
    for (uint32_t row = rows.children.first; row != none; row = tree.values[row].next) {
        if (tree.values[row].kind != kind::object) return false;
        unsigned seen = 0;
        for (uint32_t at = tree.values[row].children.first; at != none; at = tree.values[at].next) {
            const value &member = tree.values[at];
            std::string_view name = tree.view(member.name);
            if (name == "label")
                seen |= 1;
            else if (name == "value")
                seen |= 2;
            else
                return false;
            if (!is_shown_text(tree, member, 32)) return false;
        }
        if (seen != 3) return false;
    }
    return true;
}

/* What is wrong with the content of a progress widget; NULL when nothing is. */
const char *fault(const tree &tree, uint32_t content) {
    if (tree.values[content].kind != kind::object) return "content";
    unsigned seen = 0;
    for (uint32_t at = tree.values[content].children.first; at != none; at = tree.values[at].next) {
        const value &member = tree.values[at];
        std::string_view name = tree.view(member.name);
        if (name == "value") {
            double number = member.kind == kind::real      ? member.real
                            : member.kind == kind::integer ? (double)member.integer
                            : member.kind == kind::natural ? (double)member.natural
                                                           : -1;
            if (!(number >= 0 && number <= 1)) return "value";
            seen |= 1;
        } else if (name == "template") {
            if (member.kind != kind::string || tree.view(member.string) != "progress") return "template";
            seen |= 2;
        } else if (name == "label" || name == "subtitle") {
            if (!is_text(tree, member, 256)) return "text";
        } else if (name == "icon") {
            if (!is_text(tree, member, 128)) return "icon";
        } else if (name == "expired_text") {
            if (!is_text(tree, member, 64)) return "expired_text";
        } else if (name == "accent_color") {
            if (member.kind != kind::string || !is_color(tree.view(member.string))) return "accent_color";
        } else if (name == "stat_rows") {
            if (!are_rows(tree, member)) return "stat_rows";
        } else {
            return "unknown";
        }
    }
    return seen == 3 ? nullptr : "required";
}

/* Writes into memory that the caller made large enough. */
struct writer {
    char *next;

    void put(std::string_view bytes) {
        memcpy(next, bytes.data(), bytes.size());
        next += bytes.size();
    }

    void put_string(std::string_view bytes) {
        *next++ = '"';
        size_t start = 0;
        for (size_t i = 0; i < bytes.size(); i++) {
            unsigned char byte = (unsigned char)bytes[i];
            if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
            put(bytes.substr(start, i - start));
            start = i + 1;
            *next++ = '\\';
            if (byte == '"' || byte == '\\') {
                *next++ = (char)byte;
            } else {
                put("u00");
                *next++ = "0123456789abcdef"[byte >> 4];
                *next++ = "0123456789abcdef"[byte & 15];
            }
        }
        put(bytes.substr(start));
        *next++ = '"';
    }

    void put_value(const tree &tree, uint32_t at) {
        const value &value = tree.values[at];
        switch (value.kind) {
        case kind::null: return put("null");
        case kind::no: return put("false");
        case kind::yes: return put("true");
        case kind::integer: next = std::to_chars(next, next + 32, value.integer).ptr; return;
        case kind::natural: next = std::to_chars(next, next + 32, value.natural).ptr; return;
        case kind::real: next = std::to_chars(next, next + 32, value.real).ptr; return;
        case kind::string: return put_string(tree.view(value.string));
        case kind::array:
        case kind::object: {
            bool is_object = value.kind == kind::object;
            *next++ = is_object ? '{' : '[';
            for (uint32_t child = value.children.first; child != none; child = tree.values[child].next) {
                if (child != value.children.first) *next++ = ',';
                if (is_object) {
                    put_string(tree.view(tree.values[child].name));
                    *next++ = ':';
                }
                put_value(tree, child);
            }
            *next++ = is_object ? '}' : ']';
        }
        }
    }
};

}  // namespace

struct yardstick {
    simdjson::dom::parser parser;
    std::unordered_map<std::string_view, widget *> widgets;
    std::vector<std::unique_ptr<std::string>> slugs;
    std::vector<std::unique_ptr<widget>> owned;
    std::string outcome = std::string(8192, 0);

    widget &at(std::string_view slug) {
        auto found = widgets.find(slug);
        if (found != widgets.end()) return *found->second;
        slugs.push_back(std::make_unique<std::string>(slug));
        owned.push_back(std::make_unique<widget>());
        widgets.emplace(*slugs.back(), owned.back().get());
        return *owned.back();
    }

    size_t reject(std::string_view slug, std::string_view reason) {
        writer out{outcome.data()};
        out.put("{\"slug\":");
        out.put_string(slug);
        out.put(",\"code\":\"widget.content_invalid\",\"detail\":");
        out.put_string(reason);
        out.put("}");
        return (size_t)(out.next - outcome.data());
    }

    size_t decide(const uint8_t *body, size_t length) {
        element document;
        std::string_view slug;
        simdjson::dom::object content;
        if (parser.parse(body, length, false).get(document)) return reject("", "malformed");
        if (document["slug"].get(slug) || slug.empty() || slug.size() > 128 || document["content"].get(content))
            return reject("", "address or content");
        widget &widget = at(slug);
        tree &merged = widget.trees[1 - widget.current];
        merged.clear();
        uint32_t root = merge(merged, &widget.trees[widget.current], widget.root, content);
        if (const char *reason = fault(merged, root)) return reject(slug, reason);
        widget.current = 1 - widget.current;
        widget.root = root;
        /* A byte takes six at most when it is escaped; names and punctuation take the rest. */
        size_t most = 6 * merged.bytes.size() + 40 * merged.values.size() + 1024;
        if (outcome.size() < most) outcome.resize(most);
        writer out{outcome.data()};
        out.put("{\"slug\":");
        out.put_string(slug);
        out.put(",\"content\":");
        out.put_value(merged, root);
        out.put("}");
        return (size_t)(out.next - outcome.data());
    }
};

yardstick *yardstick_new(void) { return new yardstick; }

void yardstick_free(yardstick *peer) { delete peer; }

size_t yardstick_decide(yardstick *peer, const uint8_t *body, size_t length) { return peer->decide(body, length); }
