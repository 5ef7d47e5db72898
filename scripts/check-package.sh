#!/usr/bin/env bash
# Packs the project as it would be published, installs the tarball in empty folders, and uses what was installed as an
# operator would: on each supported Node, creates an installation, serves it, starts the sandbox, sends a message and
# gets its report. Then checks the package of the client library. Needs the npm registry, and no other host.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
running=()
trap 'for each in "${running[@]}"; do kill "$each" 2>/dev/null || true; done; rm -rf "$work"' EXIT

# Kilobytes of the tarball and of the installed files, dependencies not counted. Raise them only on purpose.
MAX_PACKED=2400
MAX_UNPACKED=7100
# That of a checkout, and that of the image and the Debian package.
SUPPORTED=("$(node -p "require('$root/package.json').devDependencies.node")" "$("$root/scripts/shipped-node-version.sh")")
UNSUPPORTED=20

fail() { echo "error: $*" >&2; exit 1; }

# Installs packages in a new folder of this name, and enters it.
install_in() {
  mkdir "$work/$1"
  cd "$work/$1"
  npm init --yes >/dev/null
  npm install --silent --no-audit --no-fund "${@:2}"
}

check_content() {
  local file
  for file in LICENSE CHANGELOG.md README.md deploy/posthorn.service docs/operations/operating.md dist/main.js \
    dist/console/index.html; do
    [ -e "node_modules/posthorn/$file" ] || fail "the package has no $file"
  done
  for file in src test console client dist/main.js.map; do
    [ ! -e "node_modules/posthorn/$file" ] || fail "the package has $file, which nothing needs there"
  done
  local packed unpacked
  packed=$(du -k --apparent-size "$work/$tarball" | cut -f1)
  unpacked=$(find node_modules/posthorn -type f -not -path '*/posthorn/node_modules/*' -printf '%s\n' |
    awk '{ bytes += $1 } END { print int(bytes / 1024) }')
  echo "$tarball: $packed kB packed (at most $MAX_PACKED), $unpacked kB unpacked (at most $MAX_UNPACKED)," \
    "$(du -sk node_modules --exclude=node | cut -f1) kB on the disk with its dependencies"
  [ "$packed" -le "$MAX_PACKED" ] && [ "$unpacked" -le "$MAX_UNPACKED" ] || fail 'the package is too large'
}

# Starts a command in the background, not by npx, which does not pass signals on; its process is then the newest in `running`, and $work/started its output.
start() {
  : >"$work/started"
  "$@" --port 0 --admin-port 0 --json >"$work/started" &
  running+=($!)
  for _ in $(seq 300); do
    node -e "JSON.parse(fs.readFileSync('$work/started', 'utf8'))" 2>/dev/null && return
    kill -0 "${running[-1]}" || fail "$* ended"
    sleep 0.2
  done
  fail "$* does not start"
}

stop() {
  kill -TERM "${running[-1]}"
  wait "${running[-1]}" || fail "the gateway stopped with exit code $?"
  unset 'running[-1]'
}

read_started() { node -p "JSON.parse(fs.readFileSync('$work/started', 'utf8')).$1"; }

call() {
  curl --silent --fail "$(read_started address)/api/json.php" -H 'Content-Type: application/json' \
    --data "{\"auth\":\"$(read_started key)\",\"data\":[$1]}"
}

check_console() {
  curl --silent --fail "$(read_started admin_address)/console/" | grep -q '/console/assets/' ||
    fail 'the console is not served'
}

check_serve() {
  local data=$work/data-$1
  if npx posthorn serve --data-dir "$data" --port 0 --admin-port 0 2>"$work/refused"; then
    fail 'serve started without an installation'
  fi
  grep -q 'posthorn init' "$work/refused"
  npx posthorn init --data-dir "$data"
  npx posthorn account create --name Shop --currency EUR --data-dir "$data" >/dev/null
  start node_modules/.bin/posthorn serve --data-dir "$data" --log-level silent --stop-notice-seconds 0
  curl --silent --fail "$(read_started admin_address)/readyz" >/dev/null
  check_console
  stop
}

check_sandbox() {
  start node_modules/.bin/posthorn sandbox --data-dir "$work/sandbox-$1" --log-level silent --stop-notice-seconds 0
  local answer hook
  answer=$(call '{"type":"balance"}')
  case $answer in
    '{"success":true,"data":[{"success":true,"data":{"amount":1000,'*) ;;
    *) fail "the sandbox answered $answer" ;;
  esac
  check_console
  : >"$work/hook"
  node -e "require('http').createServer((request, response) => {
    console.log(request.headers['webhook-signature']); response.end()
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })" >"$work/hook" &
  hook=$!
  running=("$hook" "${running[@]}")
  until [ -s "$work/hook" ]; do sleep 0.2; done
  hook=http://127.0.0.1:$(head -n 1 "$work/hook")/
  call "{\"type\":\"sms\",\"phone\":491701234500,\"sms_signature\":\"SMSTest\",\"sms_message\":\"Hi\",\"hook\":\"$hook\"}" \
    >"$work/sent"
  for _ in $(seq 150); do grep -q '^v1,' "$work/hook" && break; sleep 0.2; done
  grep -q '^v1,' "$work/hook" || fail "no signed report arrived; the sandbox answered $(cat "$work/sent")"
  stop
}

cd "$root"
tarball=$(npm pack --silent --pack-destination "$work" | tail -n 1)
path=$PATH
for version in "${SUPPORTED[@]}"; do
  name=node-${version//[^0-9]/}
  install_in "$name" "$work/$tarball" "node@$version"
  [ "$version" != "${SUPPORTED[0]}" ] || check_content
  PATH=$work/$name/node_modules/node/bin:$path
  check_serve "$name"
  check_sandbox "$name"
  echo "Node $(node --version): installs, serves, sends and stops"
  PATH=$path
done

install_in unsupported "node@$UNSUPPORTED"
if node_modules/node/bin/node "$work/${name}/node_modules/posthorn/bin/posthorn.js" --version 2>"$work/refused"; then
  fail "Node $UNSUPPORTED is not refused"
fi
grep -Eqx 'error: Posthorn needs Node 24 or newer, and this is v[0-9.]+' "$work/refused" || fail "$(cat "$work/refused")"
[ "$(wc -l <"$work/refused")" = 1 ] || fail "$(cat "$work/refused")"
echo "Node $UNSUPPORTED: $(cat "$work/refused")"

# Both run by npx, so that their own dependencies stay out of the lock file.
cd "$root"
npx --yes publint@0.3.25 . --strict
(cd client && npm run --silent build)
npx --yes publint@0.3.25 client --strict
npx --yes @arethetypeswrong/cli@0.18.5 --pack client --profile esm-only --no-emoji --format ascii
