# Starting processes so that each can be ended again, by its id and in time. Sourced, not run.
# shellcheck shell=bash

# alive PID: a zombie is not. Where nobody collects orphans, `kill -0` would call one alive for ever.
alive() {
    local stat
    read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
    [[ ${stat##*) } != Z* ]]
}

# ended PID SECONDS: waits until the process is gone; fails when the time is over first.
ended() {
    local deadline=$((SECONDS + $2))
    while alive "$1"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.1
    done
}

# end_process PID [SECONDS]: asks it to end, and insists when it does not. A process that was started by
# start_apart or run_watched leads a group of its own; what is left of the group then goes as well.
end_process() {
    if kill -TERM "$1" 2>/dev/null; then ended "$1" "${2:-20}" || true; fi
    kill -KILL -- "-$1" 2>/dev/null || true
    ended "$1" 5
}

# start_apart LOG COMMAND…: in the background and in a session of its own, so that neither Ctrl-C nor a closed
# terminal ends it before we do, holding none of our streams, nor what our own parent left open: somebody may wait for
# the end of those. Its id is in $started.
start_apart() {
    local log=$1
    shift
    (
        for stream in /proc/self/fd/*; do
            stream=${stream##*/}
            ((stream <= 2)) || eval "exec $stream>&-"
        done
        exec setsid "$@"
    ) </dev/null >>"$log" 2>&1 &
    # shellcheck disable=SC2034 # for the caller
    started=$!
}

# run_watched COMMAND…: in the foreground, but as a job that we wait for: bash runs a trap only between commands,
# and a build or a test run is a long one.
watched=""
run_watched() {
    local status=0
    set -m # a group of its own, with SIGINT as it should be
    "$@" </dev/null &
    watched=$!
    set +m
    wait "$watched" || status=$?
    watched=""
    return "$status"
}

# For the trap: ends what run_watched waits for. The interrupt first, as SwiftPM ends its own children on that.
end_watched() {
    [[ -n $watched ]] || return 0
    if kill -INT -- "-$watched" 2>/dev/null; then ended "$watched" 5 || true; fi
    end_process "$watched" 5
    watched=""
}

# clean_up_with FUNCTION: it runs once, however the script ends, and to its end, whatever signal comes meanwhile.
# It may run inside any function and sees that function's locals, so the variables it reads need names of their own.
clean_up_with() {
    # shellcheck disable=SC2064 # the name is wanted now
    trap "trap '' HUP INT TERM; $1" EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}
