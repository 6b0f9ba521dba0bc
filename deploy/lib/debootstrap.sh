# A Debian in a folder. Sourced, not run; messages.sh, processes.sh and packages.sh come first.
# shellcheck shell=bash

# make_debian SUITE NAME[,NAME…] FOLDER: FOLDER/system becomes a small Debian with these packages.
make_debian() {
    local suite=$1 names=$2 folder=$3 mirror=${WIDGETD_DEBIAN_MIRROR:-http://deb.debian.org/debian}
    step "Unpacking Debian $suite into $folder"
    rm -rf "$folder/system.new"
    if ! run_watched debootstrap --variant=minbase "--include=$names" "$suite" "$folder/system.new" "$mirror" \
        >"$folder/debootstrap.log" 2>&1; then
        warn "error: debootstrap could not make a Debian $suite from $mirror. Its last lines:"
        last_lines "$folder/debootstrap.log"
        warn "       WIDGETD_DEBIAN_MIRROR names another mirror; all lines: $folder/debootstrap.log"
        rm -rf "$folder/system.new"
        exit 3
    fi
    rm -rf "$folder/system.new/var/cache/apt/archives"
    mv "$folder/system.new" "$folder/system" # it is there when it is whole
}
