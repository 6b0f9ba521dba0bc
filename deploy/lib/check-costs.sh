#!/usr/bin/env bash
# Holds what a message costs in memory against Tests/CostTests/limits.txt: instructions, counted by callgrind, and
# allocations, counted by the program itself. Both repeat to a few in a thousand on any machine, as seconds do not.
#
#   deploy/lib/check-costs.sh            checks; exit status 1 when a limit is passed
#   deploy/lib/check-costs.sh --time     prints times, too: they wander, and nothing is held against them
#
# WIDGETD_BENCH names a widgetd-bench that is built already (release).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/lib/messages.sh
. deploy/lib/messages.sh
# shellcheck source=deploy/lib/packages.sh
. deploy/lib/packages.sh
# shellcheck source=deploy/lib/toolchain.sh
. deploy/lib/toolchain.sh

need_packages "${build_packages[@]}" "${cost_packages[@]}"
program=${WIDGETD_BENCH:-}
if [[ -z $program ]]; then
    need_swift
    swift build -c release --product widgetd-bench >&2
    program=$(swift build -c release --show-bin-path)/widgetd-bench
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# callgrind of Debian 12 does not read all debug information that this toolchain writes; names are enough for it.
strip --strip-debug -o "$work/widgetd-bench" "$program"

# cost PART: prints messages, instructions and allocations.
cost() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect=yardstick_measured \
        "$work/widgetd-bench" cost "$1" >"$work/log" 2>&1 || fail 1 "$1 does not run under callgrind:" "$(tail -5 "$work/log")"
    local messages allocations instructions
    read -r messages allocations < <(sed -nE 's/^[a-z]+ messages ([0-9]+) allocations ([0-9]+)$/\1 \2/p' "$work/log")
    instructions=$(sed -nE 's/.* Collected : ([0-9]+)$/\1/p' "$work/log")
    [[ -n ${messages:-} && ${instructions:-0} -gt 0 ]] || fail 1 "$1: callgrind counted nothing."
    printf '%s %s %s\n' "$messages" "$instructions" "$allocations"
}

declare -A found=()
faults=0
peer=0
printf '%-8s %14s %8s %14s %8s %8s\n' part instructions limit allocations limit 'x peer'
while read -r part most_instructions most_allocations; do
    read -r messages instructions allocations < <(cost "$part")
    each=$((instructions / messages))
    [[ $part != peer ]] || peer=$each
    found[$part]=$each
    allocated=$(awk -v n="$allocations" -v m="$messages" 'BEGIN { printf "%.2f", n / m }')
    ratio=$(awk -v n="$each" -v p="$peer" 'BEGIN { printf "%.2f", p ? n / p : 0 }')
    note=""
    if ((each > most_instructions)) || awk -v a="$allocated" -v m="$most_allocations" 'BEGIN { exit !(a > m) }'; then
        note="  over its limit"
        faults=$((faults + 1))
    fi
    printf '%-8s %14s %8s %14s %8s %8s%s\n' \
        "$part" "$each" "$most_instructions" "$allocated" "$most_allocations" "$ratio" "$note"
done < <(grep -vE '^ *(#|$)' Tests/CostTests/limits.txt)

# compare PART OTHER MOST WORDS: holds the instructions of a part against those of another.
compare() {
    local ratio
    ratio=$(awk -v n="${found[$1]}" -v m="${found[$2]}" 'BEGIN { printf "%.3f", n / m }')
    printf '%s: %s times, at most %s\n' "$4" "$ratio" "$3"
    awk -v r="$ratio" -v m="$3" 'BEGIN { exit !(r > m) }' && faults=$((faults + 1)) || true
}
compare observed batch 1.02 "metrics and the admin address"
compare throttled unpushed 1.3 "100 widgets at 100 updates a second with a throttle, to none and no pushes"

[[ ${1:-} != --time ]] || "$program" decide 300000

((faults == 0)) || fail 1 "$faults of the parts cost more than their limits in Tests/CostTests/limits.txt." \
    "Find out why; raise a limit only for something that is worth its price, in the commit that costs it."
