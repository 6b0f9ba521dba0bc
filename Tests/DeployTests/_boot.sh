#!/usr/bin/env bash
# _boot.sh SYSTEM FOLDER: becomes systemd, in namespaces of its own, with a copy on write of the Debian in SYSTEM as
# its root. Nothing of the machine around it can be changed from in there but the network's use. Runs as the first process
# of `unshare --pid --mount --cgroup …`, in a control group of its own.
set -euo pipefail
system=$1 folder=$2
root=$folder/root
mkdir -p "$folder"/{changes,work,root}
mount -t overlay overlay -o "lowerdir=$system,upperdir=$folder/changes,workdir=$folder/work" "$root"
mount -t proc proc "$root/proc"
# Or systemd-sysctl would set the parameters of the kernel that is shared.
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mkdir "$root/tmp/given"
mount --bind "$folder/given" "$root/tmp/given"
# The root of the mount namespace, not only the process's: systemd sandboxes its services from there (pivot_root(2)).
cd "$root"
pivot_root . .
umount --lazy .
# As container managers do; it is how a service's credentials reach it.
mount --make-rshared /
exec env -i container=other TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
