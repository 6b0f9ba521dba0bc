#include "camqp_private.h"

#include <stdlib.h>
#include <string.h>

enum { FIXED = 11 };

// Every place of the event and its headers that may point at the library's memory.
static size_t collect(camqp_content *content, camqp_bytes **slices) {
    camqp_event *event = &content->event;
    camqp_properties *properties = &event->properties;
    camqp_bytes *fixed[FIXED] = {
        &event->exchange, &event->routing_key, &event->consumer_tag, &event->text, &properties->content_type,
        &properties->content_encoding, &properties->correlation_id, &properties->reply_to, &properties->message_id,
        &properties->type, &properties->user_id};
    memcpy(slices, fixed, sizeof fixed);
    size_t count = FIXED;
    for (size_t index = 0; index < properties->header_count; index++) {
        slices[count++] = &content->headers[index].name;
        slices[count++] = &content->headers[index].bytes;
    }
    return count;
}

// Copies what the event points at, so that the library's memory can be used again while a long body comes in: its
// pools never shrink, and a body of 5 MiB would stay in them for good. False when there is no memory.
bool camqp_keep(camqp_content *content) {
    if (content->kept) return true;
    camqp_bytes *slices[FIXED + 2 * CAMQP_HEADER_LIMIT];
    size_t count = collect(content, slices);
    size_t total = 0;
    for (size_t index = 0; index < count; index++) total += slices[index]->count;
    if (total > content->arena_capacity) {
        uint8_t *arena = realloc(content->arena, total);
        if (!arena) return false;
        content->arena = arena;
        content->arena_capacity = total;
    }
    uint8_t *place = content->arena;
    for (size_t index = 0; index < count; index++) {
        camqp_bytes *slice = slices[index];
        if (!slice->count) continue;  // Absent, or empty and pointing at a constant or at nothing that is read.
        memcpy(place, slice->start, slice->count);
        slice->start = place;
        place += slice->count;
    }
    content->kept = true;
    return true;
}
