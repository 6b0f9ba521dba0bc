#!/usr/bin/env bash
# inside.sh SYSTEM FOLDER COMMAND…: becomes COMMAND with the folder SYSTEM as its root, where FOLDER is seen under its
# own path. Runs in a mount namespace of its own (unshare --mount), so the mounts go with the last process in it.
set -euo pipefail
system=$1 folder=$2
shift 2
mount --rbind /proc "$system/proc"
mount --rbind /dev "$system/dev"
mkdir -p "$system$folder"
mount --bind "$folder" "$system$folder"
exec chroot "$system" "$@"
