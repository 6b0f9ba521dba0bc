#!/usr/bin/env bash
# Holds the imports of all targets against the layers: a target imports only from lower layers, never from its own,
# and each C module has exactly one importer. The compiler's own check (--explicit-target-dependency-import-check)
# covers what the manifest declares; this covers what the manifest should not have declared.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# A new target takes its place here. Tests stand above the programs, their support below them, but above the parts.
declare -A layer=(
    [CRabbitMQ]=0 [CSQLite]=0 [CZlib]=0 [CGetopt]=0 [CHiredis]=0 [COpenSSL]=0 [CMicroHTTPD]=0 [CSystemd]=0
    [CAMQPShim]=0 [CSimdJSONShim]=0 [CCrashNotes]=0 [CRelay]=0 [CYardstick]=0
    [WidgetJSON]=1 [WidgetTime]=1 [WidgetTelemetry]=1 [WidgetURL]=1
    [WidgetContract]=2 [WidgetPresentation]=2 [WidgetJSONParsing]=2
    [WidgetWorker]=3
    [WidgetAMQP]=4 [WidgetSQLite]=4 [WidgetRedis]=4 [WidgetAdmin]=4 [WidgetSystemd]=4 [WidgetCrashNotes]=4
    [widgetd]=5 [widgetd-bench]=5
    [WidgetTestSupport]=6 [WidgetProperties]=6
    [WorkerTestSupport]=7 [widgetd-fuzz]=7
)
tests_layer=8
# The benchmark's yardstick is what anybody would write over the library: beside its importer it may include it, too.
yardstick=CRelay

faults=0
fault() {
    printf '%s\n' "$*" >&2
    faults=$((faults + 1))
}

layer_of() {
    if [[ $1 == *Tests ]]; then printf '%s\n' "$tests_layer"; else printf '%s\n' "${layer[$1]:-}"; fi
}

# imports FOLDER: file, line and module of each Swift import there.
imports() {
    local before='([@A-Za-z_]+(\([^)]*\))?[[:space:]]+)*' # attributes and the access level
    local kind='((struct|class|enum|protocol|typealias|func|var|let)[[:space:]]+)?'
    { grep -rnE --include='*.swift' "^[[:space:]]*${before}import[[:space:]]" "$1" || true; } |
        sed -nE "s/^([^:]+):([0-9]+):[[:space:]]*${before}import[[:space:]]+${kind}([A-Za-z0-9_]+).*/\1 \2 \7/p"
}

# is_c FOLDER
is_c() { [[ -f $1/module.modulemap || -d $1/include ]]; }

check_layers() {
    local folder=$1 target own file line module its
    target=$(basename "$folder")
    own=$(layer_of "$target")
    [[ -n $own ]] || fault "$folder: the target has no layer; give it one in deploy/lib/check-imports.sh"
    while read -r file line module; do
        [[ -n ${known[$module]:-} ]] || continue # not of this package
        importers[$module]+="$target "
        its=$(layer_of "$module")
        if [[ -n $own && -n $its ]] && ((its >= own)); then
            fault "$file:$line: $target (layer $own) imports $module (layer $its); only lower layers may be imported"
        fi
    done < <(imports "$folder")
}

# A C target imports a system library's module by including the library's headers. What a Preload folder holds is in no
# target: tests load it into the worker's process.
check_includes() {
    local folder=$1 module header other
    module=$(basename "$folder")
    while read -r header; do
        for other in "${folders[@]}"; do
            [[ $other != "$folder" && $(basename "$other") != "$yardstick" ]] || continue
            if grep -rqsE --exclude-dir=Preload --include='*.'{c,cpp,h} "^ *# *include *[<\"]${header}[>\"]" "$other"; then
                importers[$module]+="$(basename "$other") "
            fi
        done
    done < <(sed -nE 's/^ *# *include *<([^>]+)>.*/\1/p' "$folder"/*.h)
}

check_one_importer() {
    local module=$1 names
    names=$(tr ' ' '\n' <<<"${importers[$module]:-}" | sort -u | xargs)
    case $names in
    "") fault "$module is imported by no target; a C module has one importer" ;;
    *" "*) fault "$module is imported by several targets ($names); a C module has one importer" ;;
    esac
}

declare -A known importers
folders=(Sources/* Tests/*)
for folder in "${folders[@]}"; do known[$(basename "$folder")]=$folder; done
for folder in "${folders[@]}"; do check_layers "$folder"; done
for folder in "${folders[@]}"; do
    if [[ -f $folder/module.modulemap ]]; then check_includes "$folder"; fi
done
for folder in "${folders[@]}"; do
    if is_c "$folder"; then check_one_importer "$(basename "$folder")"; fi
done
((faults == 0)) || exit 1
printf '%s targets import only from lower layers.\n' "${#folders[@]}"
