# A Debian 13 in a folder, for its RabbitMQ 4.0 and its librabbitmq 0.15. Sourced, not run; messages.sh, processes.sh,
# packages.sh and debootstrap.sh come first.
# shellcheck shell=bash

# need_debian13 FOLDER: makes it when it is not there. Afterwards FOLDER/system is the Debian, in which a broker runs
# (deploy/broker, WIDGETD_TEST_BROKER_SYSTEM), and FOLDER/librabbitmq what a compiler out here needs of its library.
need_debian13() {
    local folder=$1
    ((EUID == 0)) || fail 3 "RabbitMQ 4 comes out of a Debian 13 in a folder; making and entering it takes root." \
        "Run this as root, or without --broker."
    unshare --mount true 2>/dev/null ||
        fail 3 "RabbitMQ 4 runs in a Debian 13 in a folder, and this system lets nobody mount (unshare --mount)."
    # shellcheck disable=SC2154 # packages.sh has the list
    need_packages "${debian_packages[@]}"
    mkdir -p "$folder"
    # Another run may be making it just now.
    exec {debian13_lock}>"$folder/lock"
    flock "$debian13_lock"
    [[ -d $folder/system ]] || make_debian trixie rabbitmq-server,librabbitmq-dev "$folder"
    copy_librabbitmq "$folder/system" "$folder/librabbitmq"
    exec {debian13_lock}>&-
}

# The library alone: it asks for no newer C library or OpenSSL than Debian 12 has, its neighbours in there would.
copy_librabbitmq() {
    local usr=$1/usr prefix=$2 libraries
    [[ ! -f $prefix/lib/pkgconfig/librabbitmq.pc ]] || return 0
    libraries=$(dirname "$(find "$usr/lib" -name librabbitmq.so)")
    mkdir -p "$prefix"/{include,lib/pkgconfig}
    cp -r "$usr/include/rabbitmq-c" "$prefix/include/"
    cp -P "$libraries"/librabbitmq.so* "$prefix/lib/"
    sed -E "s|^prefix=.*|prefix=$prefix|; s|^libdir=.*|libdir=\${prefix}/lib|" \
        "$libraries/pkgconfig/librabbitmq.pc" >"$prefix/lib/pkgconfig/librabbitmq.pc"
}
