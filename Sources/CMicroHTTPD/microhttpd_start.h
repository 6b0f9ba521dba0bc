#pragma once
#include <microhttpd.h>

/// Bounds of a daemon.
struct microhttpd_limits {
    unsigned connections, connections_of_one_address, timeout_seconds;
    size_t memory_of_connection;
};

/// Here because `MHD_start_daemon` takes a variable list of arguments, which Swift cannot call. One thread of the
/// library's own serves every connection of the listening `socket`, which is the daemon's from then on.
static inline struct MHD_Daemon *microhttpd_start(
    int socket, struct microhttpd_limits limits, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback complete, void *closure) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, closure,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_NOTIFY_COMPLETED, complete, closure,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        limits.connections_of_one_address, MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory_of_connection, MHD_OPTION_END);
}

/// Here because MHD_SIZE_UNKNOWN and the endings of a stream are macros with casts.
static inline struct MHD_Response *microhttpd_stream(MHD_ContentReaderCallback read, void *closure) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 * 1024, read, closure, NULL);
}
static inline ssize_t microhttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
