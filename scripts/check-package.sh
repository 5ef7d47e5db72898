#!/usr/bin/env bash
# Packs the project as it would be published, installs the tarball in an empty folder, and uses what was installed as an
# operator would: creates an installation, refuses a missing one, starts the sandbox, sends a message and gets its report.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
sandbox=
hook=
trap 'for each in $sandbox $hook; do kill "$each" 2>/dev/null || true; done; rm -rf "$work"' EXIT

cd "$root"
tarball=$(npm pack --silent --pack-destination "$work" | tail -n 1)
mkdir "$work/app"
cd "$work/app"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "$work/$tarball" "node@$(node -p "require('$root/package.json').devDependencies.node")"
posthorn=(node_modules/.bin/node node_modules/posthorn/bin/posthorn.js)
for file in LICENSE CHANGELOG.md README.md deploy/posthorn.service docs/operations/operating.md dist/main.js \
  dist/console/index.html; do
  [ -e "node_modules/posthorn/$file" ] || { echo "the package has no $file"; exit 1; }
done

if "${posthorn[@]}" serve --data-dir "$work/missing" --port 0 --admin-port 0 2>"$work/refused"; then
  echo 'serve started without an installation'; exit 1
fi
grep -q "posthorn init" "$work/refused"
"${posthorn[@]}" init --data-dir "$work/made"
"${posthorn[@]}" account create --name Shop --currency EUR --data-dir "$work/made" >/dev/null

"${posthorn[@]}" sandbox --data-dir "$work/data" --port 0 --admin-port 0 --log-level silent --json >"$work/started" &
sandbox=$!
for _ in $(seq 300); do
  [ -s "$work/started" ] && node -e "JSON.parse(require('fs').readFileSync('$work/started', 'utf8'))" 2>/dev/null && break
  kill -0 "$sandbox" || { echo 'the sandbox ended'; exit 1; }
  sleep 0.2
done
read_started() { node -p "JSON.parse(require('fs').readFileSync('$work/started', 'utf8')).$1"; }
answer=$(curl --silent --fail "$(read_started address)/api/json.php" -H 'Content-Type: application/json' \
  --data "{\"auth\":\"$(read_started key)\",\"data\":[{\"type\":\"balance\"}]}")
case $answer in
  '{"success":true,"data":[{"success":true,"data":{"amount":1000,'*) ;;
  *) echo "the sandbox answered $answer"; exit 1 ;;
esac
curl --silent --fail "$(read_started admin_address)/console/" | grep -q '/console/assets/' ||
  { echo 'the console is not served'; exit 1; }

node -e "require('http').createServer((request, response) => { console.log(request.headers['webhook-signature']); response.end() })
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })" >"$work/hook" &
hook=$!
until [ -s "$work/hook" ]; do sleep 0.2; done
curl --silent --fail "$(read_started address)/api/json.php" -H 'Content-Type: application/json' --data \
  "{\"auth\":\"$(read_started key)\",\"data\":[{\"type\":\"sms\",\"phone\":491701234500,\"sms_signature\":\"SMSTest\",\"sms_message\":\"Hi\",\"hook\":\"http://127.0.0.1:$(head -n 1 "$work/hook")/\"}]}" >"$work/sent"
for _ in $(seq 150); do grep -q '^v1,' "$work/hook" && break; sleep 0.2; done
grep -q '^v1,' "$work/hook" || { echo "no signed report arrived; the sandbox answered $(cat "$work/sent")"; exit 1; }

kill -TERM "$sandbox"
wait "$sandbox"
sandbox=
echo "$tarball installs, serves and stops"
