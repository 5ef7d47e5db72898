#!/bin/sh
# Prints the version of the Node that the image and the Debian package run.
sed -n 's/^ARG NODE=node:\([0-9.]*\)-slim$/\1/p' "$(dirname "$0")/../deploy/Dockerfile"
