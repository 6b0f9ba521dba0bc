# A RabbitMQ node of our own: loopback only, free ports, its own epmd and cookie, everything in one folder, so that
# it meets no other broker of the machine. Sourced, not run; messages.sh and processes.sh come first.
#
# The server's own scripts are called, not Debian's wrappers around them: those insist on root or on the user
# `rabbitmq` and on that user's folders. So the node belongs to whoever starts it.
#
# The programs are the machine's, or those of another Debian in a folder (debian13.sh): WIDGETD_TEST_BROKER_SYSTEM.
# shellcheck shell=bash

broker_programs=/usr/lib/rabbitmq/bin
broker_inside=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/inside.sh

# broker_start FOLDER [PLUGIN…]: a new node in an empty folder, or the one that was stopped there, with its data.
broker_start() {
    local folder=$1
    shift
    if [[ -f $folder/settings ]]; then
        broker_running "$folder" && return 0
        broker_launch "$folder" || broker_failed "$folder"
        return 0
    fi
    # Another process may take a port between our look and the broker's; then other ports are tried.
    local try
    need_broker_programs "${WIDGETD_TEST_BROKER_SYSTEM:-}"
    for try in 1 2 3; do
        broker_write_folder "$folder" "$@"
        broker_launch "$folder" && return 0
        grep -qiE 'eaddrinuse|address already in use' "$folder/log/console" || break
        warn "A port of the broker was taken (try $try)."
        broker_stop "$folder"
    done
    broker_failed "$folder"
}

need_broker_programs() {
    local system=$1
    [[ -x $system$broker_programs/rabbitmq-server ]] ||
        fail 3 "there is no rabbitmq-server${system:+ in $system}; Debian has it in the package of that name."
    [[ -x $system/usr/bin/epmd ]] ||
        fail 3 "there is no epmd (Erlang's port mapper)${system:+ in $system}; Debian has it in erlang-base."
}

broker_write_folder() {
    local folder=$1 port distribution_port epmd_port
    shift
    rm -rf "${folder:?}"/{data,log,home}
    mkdir -p "$folder"/{data,log,home}
    chmod 700 "$folder"
    free_ports port distribution_port epmd_port
    printf 'port=%s\ndistribution_port=%s\nepmd_port=%s\nnode=widgetd-%s@localhost\nsystem=%q\n' \
        "$port" "$distribution_port" "$epmd_port" "$port" "${WIDGETD_TEST_BROKER_SYSTEM:-}" >"$folder/settings"
    printf 'listeners.tcp.1 = 127.0.0.1:%s\nloopback_users.guest = true\n' "$port" >"$folder/rabbitmq.conf"
    if [[ -f $folder/additional.conf ]]; then cat "$folder/additional.conf" >>"$folder/rabbitmq.conf"; fi
    local plugins="$*"
    # Its port is the same on each node by default; a node without the plugin would not take the setting.
    if [[ " $plugins " == *" rabbitmq_management "* ]]; then
        local management_port
        free_ports management_port
        printf 'management_port=%s\n' "$management_port" >>"$folder/settings"
        printf 'management.tcp.ip = 127.0.0.1\nmanagement.tcp.port = %s\n' "$management_port" >>"$folder/rabbitmq.conf"
    fi
    printf '[%s].\n' "${plugins// /,}" >"$folder/enabled_plugins"
    broker_write_ctl "$folder"
}

# free_ports NAME…: an unused port into each variable, all different. Below the range that outgoing connections take.
free_ports() {
    local name candidate taken=" "
    for name; do
        until
            candidate=$((20000 + RANDOM % 12000))
            [[ $taken != *" $candidate "* ]] && ! port_used "$candidate"
        do :; done
        taken+="$candidate "
        printf -v "$name" %s "$candidate"
    done
}

port_used() { grep -qsE "^ *[0-9]+: [0-9A-F]+:$(printf %04X "$1") " /proc/net/tcp /proc/net/tcp6; }

# broker_environment FOLDER: what goes before a command of the node's, into the array $node_environment. Nothing of the
# caller's environment is passed on, nor of the settings of the machine's own broker.
broker_environment() {
    local folder=$1 port distribution_port epmd_port node system=""
    # shellcheck source=/dev/null
    . "$folder/settings"
    node_environment=()
    [[ -z $system ]] || node_environment=(unshare --mount -- "$broker_inside" "$system" "$folder")
    node_environment+=(
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
        "HOME=$folder/home" # the Erlang cookie is made there
        "RABBITMQ_NODENAME=$node"
        "RABBITMQ_NODE_PORT=$port" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1
        "RABBITMQ_DIST_PORT=$distribution_port"
        "RABBITMQ_MNESIA_BASE=$folder/data" "RABBITMQ_GENERATED_CONFIG_DIR=$folder/data"
        "RABBITMQ_LOG_BASE=$folder/log" RABBITMQ_LOGS=- "ERL_CRASH_DUMP=$folder/log/crash"
        "RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf" "RABBITMQ_CONF_ENV_FILE=$folder/none"
        "RABBITMQ_ADVANCED_CONFIG_FILE=$folder/none" "RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins"
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}"
        "RABBITMQ_CTL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}"
        # Each rabbitmqctl listens while it runs; its default range holds eleven at a time for the whole machine.
        RABBITMQ_CTL_DIST_PORT_MIN=35000 RABBITMQ_CTL_DIST_PORT_MAX=35999
        ERL_EPMD_ADDRESS=127.0.0.1 "ERL_EPMD_PORT=$epmd_port"
    )
}

# broker_write_ctl FOLDER: a rabbitmqctl for this node, one file, so that a test can run it as any program.
# It refuses when the node is down: rabbitmqctl would start an epmd that nobody ends.
broker_write_ctl() {
    local -a node_environment
    broker_environment "$1"
    {
        printf '#!/usr/bin/env bash\n# rabbitmqctl for the private broker of this folder.\n'
        # shellcheck disable=SC2016 # for the file
        printf 'kill -0 "$(cat %q 2>/dev/null)" 2>/dev/null ||\n    { echo "the broker is stopped" >&2; exit 3; }\n' "$1/epmd.pid"
        printf 'exec'
        printf ' %q' "${node_environment[@]}" "$broker_programs/rabbitmqctl" -q
        printf ' "$@"\n'
    } >"$1/rabbitmqctl"
    chmod 755 "$1/rabbitmqctl"
}

# broker_launch FOLDER: epmd, then the node; waits until it speaks AMQP, which is the last thing it learns.
broker_launch() {
    local folder=$1 started port distribution_port epmd_port node
    local -a node_environment
    # shellcheck source=/dev/null
    . "$folder/settings"
    broker_environment "$folder"
    : >"$folder/log/console"
    start_apart "$folder/log/console" "${node_environment[@]}" epmd -port "$epmd_port" -address 127.0.0.1
    printf '%s\n' "$started" >"$folder/epmd.pid"
    start_apart "$folder/log/console" "${node_environment[@]}" "$broker_programs/rabbitmq-server"
    printf '%s\n' "$started" >"$folder/node.pid"
    local deadline=$((SECONDS + ${WIDGETD_BROKER_SECONDS:-90}))
    until speaks_amqp 127.0.0.1 "$port"; do
        alive "$started" || return 1
        ((SECONDS < deadline)) || return 1
        sleep 0.2
    done
}

broker_failed() {
    warn "error: the private broker in $1 did not come up. Its last lines:"
    last_lines "$1/log/console"
    broker_stop "$1"
    exit 3
}

# speaks_amqp HOST PORT: an AMQP 0-9-1 broker answers the protocol's header with a frame of type 1.
speaks_amqp() {
    # shellcheck disable=SC2016 # for the inner shell
    timeout 3 bash -c '
        exec 3<>"/dev/tcp/$1/$2" && printf "AMQP\0\0\11\1" >&3 && [[ $(head -c 1 <&3 | od -An -tu1) -eq 1 ]]
    ' bash "$1" "$2" 2>/dev/null
}

# its_pid FOLDER node|epmd: the id, when a process of that id is there and still is the one we started.
its_pid() {
    local pid mark
    pid=$(cat "$1/$2.pid" 2>/dev/null) || return 1
    case $2 in
    node) mark=rabbitmq ;;
    epmd) mark=epmd ;;
    esac
    alive "$pid" && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$mark" || return 1
    printf '%s\n' "$pid"
}

broker_running() { its_pid "$1" node >/dev/null; }

# broker_stop FOLDER: node, then epmd; the data stays.
broker_stop() {
    local part pid
    for part in node epmd; do
        if pid=$(its_pid "$1" "$part"); then end_process "$pid" 30; fi
        rm -f "$1/$part.pid"
    done
}

# broker_kill FOLDER: as a crash would, without a word to it.
broker_kill() {
    local pid
    if pid=$(its_pid "$1" node); then
        kill -KILL -- "-$pid"
        ended "$pid" 5
    fi
    broker_stop "$1"
}

broker_remove() {
    [[ -f $1/settings ]] || return 0 # not a broker's folder
    broker_stop "$1"
    rm -rf "$1"
}

broker_url() {
    local port distribution_port epmd_port node
    # shellcheck source=/dev/null
    . "$1/settings"
    printf 'amqp://guest:guest@127.0.0.1:%s/%%2f\n' "$port"
}

# broker_api FOLDER: the address of the management API; nothing without that plugin.
broker_api() {
    local port distribution_port epmd_port node management_port=""
    # shellcheck source=/dev/null
    . "$1/settings"
    [[ -z $management_port ]] || printf 'http://guest:guest@127.0.0.1:%s/api\n' "$management_port"
}
