#!/usr/bin/env bash
# Makes a minimal Debian or Ubuntu, as in a slim container image, of this machine's own release, with apt's mirror and
# proxy of this machine, and the given packages. Needs root and debootstrap. Usage: make-clean-root.sh FOLDER [PACKAGE]...
# Ends with 75 and what was said when the packages of the system cannot be had.
set -euo pipefail
# A folder of this machine is not in the new root.
unset TMPDIR
folder=$1
log=$folder.log
fail() { tail -n 20 "$log" >&2; echo "no minimal system: $* failed" >&2; exit 75; }
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 'Component: main' |
  awk -v "codename=$codename" '$1 == codename { print $2; exit }')
debootstrap --variant=minbase "$codename" "$folder" ${mirror:+"$mirror"} >"$log" 2>&1 || fail debootstrap
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
apt-config dump | grep -iE '^Acquire::https?::Proxy' >"$folder/etc/apt/apt.conf.d/90proxy" || true
echo 'Acquire::Retries "5";' >"$folder/etc/apt/apt.conf.d/80retries"
export DEBIAN_FRONTEND=noninteractive
apt() { chroot "$folder" apt-get -q -y --no-install-recommends "$@" >"$log" 2>&1 || fail "apt-get $*"; }
apt update
if [ $# -gt 1 ]; then apt install "${@:2}"; fi
