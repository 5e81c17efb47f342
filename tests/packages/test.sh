#!/usr/bin/env bash
# Makes the Debian packages of a build, checks them with lintian, and installs, uses and removes them in a fresh root, beside a wheel.
# Usage: tests/packages/test.sh BUILD_DIRECTORY WHEEL   (as root, with lintian, debootstrap and chromium)
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$1/packages
root=$work/root

if [ "${3:-}" != inside ]; then
  rm -rf --one-file-system "$work"
  mkdir -p "$work"
  cpack --config "$1/CPackConfig.cmake" -B "$work" >"$work/cpack.log" || { tail -n 20 "$work/cpack.log"; exit 1; }
  lintian --allow-root --fail-on error,warning "$work"/*.deb
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" || { tail -n 20 "$work/debootstrap.log"; exit 1; }
  # The mount ends with its namespace, and so does every process that a package may leave.
  exec unshare --mount --pid --fork tests/packages/test.sh "$1" "$2" inside
fi

mount -t proc proc "$root/proc"
mkdir "$root/packages"
cp "$work"/*.deb "$2" "$root/packages/"
printf 'APT::Get::Assume-Yes "true";\n' >"$root/etc/apt/apt.conf.d/assume-yes"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
chroot "$root" apt-get -q update >"$work/apt.log"

in_root() { chroot "$root" sh -c "$1" >>"$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log"; exit 1; }; }
names=$(for package in "$work"/*.deb; do dpkg-deb -f "$package" Package; done)
removed() {  # removed NAME...: purges packages and finds what they left
  in_root "apt-get -q purge $*"
  local left
  left=$(find "$root" -xdev -name '*polycodec*' ! -path "$root/packages/*" ! -path "$root/tasks/*" ! -path "$root/var/cache/apt/*")
  [ -z "$left" ] || { printf 'left after the removal of %s:\n%s\n' "$*" "$left"; exit 1; }
}

# A library alone, as for a host that brings its own plugins.
in_root 'apt-get -q install --no-install-recommends /packages/libpolycodec0_*.deb && ldconfig -p | grep -q libpolycodec.so.0'
removed libpolycodec0
python3 -B tests/packages/tasks.py "$root"
in_root 'polycodec doctor'
# shellcheck disable=SC2086  # one word a package
removed $names
echo "$(wc -w <<<"$names") packages checked, installed, used and removed"
umount "$root/proc"
rm -rf --one-file-system "$root"
