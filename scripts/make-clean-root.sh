#!/usr/bin/env bash
# Makes a minimal Debian or Ubuntu, as in a slim container image, of this machine's own release, with apt's mirror and
# proxy of this machine, and the given packages. Needs root and debootstrap. Usage: make-clean-root.sh FOLDER [PACKAGE]...
set -euo pipefail
folder=$1
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 'Component: main' |
  awk -v "codename=$codename" '$1 == codename { print $2; exit }')
debootstrap --variant=minbase "$codename" "$folder" ${mirror:+"$mirror"} >"$folder.log" 2>&1 ||
  { tail -n 20 "$folder.log" >&2; exit 1; }
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
apt-config dump | grep -iE '^Acquire::https?::Proxy' >"$folder/etc/apt/apt.conf.d/90proxy" || true
export DEBIAN_FRONTEND=noninteractive
chroot "$folder" apt-get update -q >/dev/null
if [ $# -gt 1 ]; then
  chroot "$folder" apt-get install -q -y --no-install-recommends "${@:2}" >/dev/null 2>&1
fi
