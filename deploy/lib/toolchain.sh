# Finding Swift, and building with it. Sourced, not run; messages.sh, processes.sh and packages.sh
# come first.
# shellcheck shell=bash

wanted_swift=6.2

# An import of a target that is not declared as a dependency is an error; a plain build lets it pass.
# shellcheck disable=SC2034 # for those who source this
swift_checks=(--explicit-target-dependency-import-check error)

# need_swift: afterwards `swift` is on PATH, starts and is new enough.
need_swift() {
    local found
    if ! command -v swift >/dev/null; then
        [[ -x /opt/swift/usr/bin/swift ]] || no_swift "none on PATH, none in /opt/swift"
        PATH=/opt/swift/usr/bin:$PATH
    fi
    # shellcheck disable=SC2154 # packages.sh has the list
    swift_starts || need_packages "${toolchain_packages[@]}"
    swift_starts || no_swift "$(command -v swift), which does not start ($(tail -n 1 <<<"$told"))"
    found=$(sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' <<<"$told" | head -n 1)
    [[ -n $found ]] || no_swift "$(command -v swift), which does not tell its version"
    at_least "$wanted_swift" "$found" || no_swift "$found, at $(command -v swift)"
}

# The compiler and SwiftPM are linked with different libraries. What they say is in $told.
swift_starts() { told=$(swift build --version 2>&1 && swift --version 2>&1); }

# at_least WANTED FOUND
at_least() { [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

no_swift() {
    fail 3 "Swift $wanted_swift or newer is wanted; found: $1." \
        "Toolchains for Debian 12: https://www.swift.org/install/linux/" \
        "Unpack one into /opt/swift, or put its usr/bin on PATH."
}

# build_release LOG: what is shipped, with Swift's libraries in it, so that it runs where Swift is not. Leaves the path of the program in $binary.
build_release() {
    local log=$1
    step "Building widgetd (the first build takes some minutes)"
    if ! run_watched swift build -c release --product widgetd "${swift_checks[@]}" >"$log" 2>&1; then
        warn "error: the release build failed. Its last lines:"
        last_lines "$log" 40
        warn "       All of them: $log"
        exit 1
    fi
    binary=$(swift build -c release "${swift_checks[@]}" --show-bin-path)/widgetd
    [[ -x $binary ]] || fail 1 "the build ended well, but there is no $binary"
}
