#!/bin/sh
# Deletes what no program reads from a folder of installed packages: types, maps of sources, documentation. Licenses and
# notices stay. Usage: scripts/prune-modules.sh node_modules
set -eu
find "$1" -type f \( -name '.*' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.sh' \
  -o -iname '*.md' -o -iname '*.markdown' \) \
  ! -iname '*licen[cs]e*' ! -iname '*notice*' ! -iname '*copying*' -delete
