#!/usr/bin/env bash
# Builds the Debian package, then installs, runs, upgrades, removes and purges it in a minimal system that debootstrap makes;
# without debootstrap, in a copy-on-write view of this machine's file system. Needs Debian or Ubuntu and root; without them it
# says so and does nothing.
# Usage: [LINTIAN=yes] deploy/debian/check-deb.sh [PACKAGE.deb]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "error: $*" >&2; exit 1; }

if [ "${1:-}" != --inside ]; then
  if [ "$(id -u)" != 0 ] || [ ! -e /etc/debian_version ]; then
    echo 'the Debian package is not checked: that needs Debian and root'; exit 0
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  deb=${1:-$("$here/build-deb.sh" "$work")}
  echo "$(basename "$deb"): $(du -m "$deb" | cut -f1) MB, $(dpkg-deb -f "$deb" Installed-Size) kB installed"
  if [ -n "${LINTIAN:-}" ]; then lintian --allow-root --fail-on error "$deb"; fi
  # The mounts and processes end with the namespaces.
  unshare --mount --pid --fork --kill-child --propagation private "$0" --inside "$work" "$deb"
  exit
fi

# The package lies beside the view, which hides what its folder had.
view=$2/view
deb=$3
mkdir "$view"
mount -t tmpfs tmpfs "$view"
mkdir "$view/upper" "$view/work" "$view/root"
install_deb() { within dpkg --install /posthorn.deb; }
if command -v debootstrap >/dev/null; then
  "$here/../../scripts/make-clean-root.sh" "$view/root" || {
    [ $? = 75 ] && echo 'the Debian package is built and not installed: that needs packages of Debian' && exit 0
    fail 'no minimal system could be made'
  }
  # With what it depends on and recommends.
  install_deb() { within apt-get install -q -y --allow-downgrades --reinstall /posthorn.deb; }
elif ! mount -t overlay overlay -o "lowerdir=/,upperdir=$view/upper,workdir=$view/work" "$view/root"; then
  echo 'the Debian package is built and not installed: that needs overlay mounts'; exit 0
fi
root=$view/root
cp "$deb" "$root/posthorn.deb"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
within() { chroot "$root" env -u TMPDIR "$@"; }
of() { within stat -c '%U:%G %a' "$1"; }
expect() { [ "$1" = "$2" ] || fail "$3: $1 instead of $2"; }

install_deb
expect "$(of /etc/posthorn/posthorn.env)" 'root:posthorn 640' 'the settings'
expect "$(of /var/lib/posthorn)" 'posthorn:posthorn 700' 'the data folder'
expect "$(of /var/lib/posthorn/secret.key)" 'posthorn:posthorn 600' 'the key'
within systemd-analyze verify posthorn.service posthorn-health.service posthorn-health.timer
within systemd-analyze security --offline=true --threshold=20 /usr/lib/systemd/system/posthorn.service | tail -n 1

run_as_user() {
  within runuser -u posthorn -- env POSTHORN_DATA_DIR=/var/lib/posthorn POSTHORN_PORT=28080 POSTHORN_ADMIN_PORT=28081 \
    POSTHORN_STOP_NOTICE_SECONDS=0 "$@"
}
check_gateway() {
  # By exec, so that the signal reaches the gateway itself.
  run_as_user sh -c 'cd && echo $$ >/tmp/posthorn.pid && exec posthorn serve --log-level warn' &
  local serving=$! try
  for try in $(seq 150); do
    run_as_user posthorn health --ready >/dev/null 2>&1 && break
    [ "$try" != 150 ] || fail 'the gateway is not ready'
    sleep 0.2
  done
  run_as_user posthorn account list
  kill -TERM "$(cat "$root/tmp/posthorn.pid")"
  wait "$serving" || fail "the gateway stopped with exit code $?"
}
run_as_user posthorn account create --name Shop --currency EUR >/dev/null
check_gateway

echo 'POSTHORN_LOG_LEVEL=warn' >>"$root/etc/posthorn/posthorn.env"
install_deb
grep -q '^POSTHORN_LOG_LEVEL=warn$' "$root/etc/posthorn/posthorn.env" || fail 'an upgrade lost the settings'
check_gateway >"$view/accounts"
grep -q Shop "$view/accounts" || fail 'an upgrade lost the data'

within dpkg --remove posthorn
[ ! -e "$root/usr/lib/posthorn" ] || fail 'the program is not removed'
[ -e "$root/etc/posthorn/posthorn.env" ] || fail 'removal deleted the settings'
within dpkg --purge posthorn
[ ! -e "$root/etc/posthorn" ] || fail 'the settings are not purged'
[ -e "$root/var/lib/posthorn/posthorn.db" ] || fail 'purging deleted the data'
echo 'the Debian package installs, serves, upgrades, is removed and purged'
