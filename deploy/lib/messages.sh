# What the commands in deploy/ say, and the status they end with. Sourced, not run.
# Statuses are widgetd's own: 1 the work found faults, 2 wrong usage, 3 something needed is not there.
# shellcheck shell=bash

step() { printf '==> %s\n' "$*"; }

say() { printf '    %s\n' "$*"; }

warn() { printf '%s\n' "$*" >&2; }

# fail STATUS LINE… : the lines to standard error, then the end.
fail() {
    local status=$1 first=$2
    shift 2
    warn "error: $first"
    local line
    for line; do warn "       $line"; done
    exit "$status"
}

# last_lines FILE [COUNT]: the end of a log, set off from our own words.
last_lines() {
    [[ -s $1 ]] || { warn "    | (nothing was logged)"; return 0; }
    tail -n "${2:-15}" "$1" | sed 's/^/    | /' >&2
}

# without_password URL: fit to be printed.
without_password() { sed -E 's#(://[^:/@]*):[^@]*@#\1:***@#g' <<<"$1"; }
