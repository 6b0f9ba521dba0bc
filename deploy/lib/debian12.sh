# A Debian 12 in a folder, in which the package is installed and its service started. Sourced, not run; messages.sh,
# processes.sh, packages.sh and debootstrap.sh come first.
# shellcheck shell=bash

# need_debian12 FOLDER PACKAGE-FILE: FOLDER/system is then a Debian with systemd and what the package depends on. It is
# made again when that has changed.
need_debian12() {
    local folder=$1 package=$2 names
    ((EUID == 0)) || fail 3 "a Debian in a folder is made and entered as root; run this as root."
    # shellcheck disable=SC2154 # packages.sh has the list
    need_packages "${debian_packages[@]}"
    names=$(dpkg-deb -f "$package" Depends | sed -E 's/ *\([^)]*\)//g; s/ *\|[^,]*//g; s/ *, */,/g')
    mkdir -p "$folder"
    local lock
    exec {lock}>"$folder/lock"
    flock "$lock"
    if [[ $(cat "$folder/names" 2>/dev/null) != "$names" ]]; then
        rm -rf "$folder/system"
        make_debian bookworm "$names,systemd-sysv" "$folder"
        printf '%s\n' "$names" >"$folder/names"
    fi
    exec {lock}>&-
}
