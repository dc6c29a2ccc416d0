#!/bin/sh
# Installs Debian or Ubuntu packages that are missing. Usage:
#   scripts/install.sh COMMAND=PACKAGE...     each must be there in the end
#   scripts/install.sh --optional ...         as many as can be had
# A command that is found is left alone. Elsewhere than on Debian and Ubuntu, says what to install.
set -eu

optional=no
if [ "${1:-}" = --optional ]; then
    optional=yes
    shift
fi

missing=
for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null 2>&1 || missing="$missing ${pair#*=}"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "please install with your system's package manager:$missing" >&2
    [ "$optional" = yes ] && exit 0
    exit 1
fi

root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "please install as root: apt-get install$missing" >&2
        [ "$optional" = yes ] && exit 0
        exit 1
    fi
    root=sudo
fi

echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -qq || [ "$optional" = yes ]
if [ "$optional" = yes ]; then
    # One by one: a package that this release does not have must not keep the others away.
    for package in $missing; do
        $root apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
            echo "not available here: $package (tests that need it are skipped)"
    done
else
    # shellcheck disable=SC2086 # a list of names
    $root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
