#!/bin/sh
# Installs a Debian package of Norn, tries what it brings, and removes it: scripts/test-deb.sh FILE
set -eu

package=$1
root=
[ "$(id -u)" -eq 0 ] || root=sudo
if command -v norn >/dev/null 2>&1; then
    echo "norn is there already ($(command -v norn)); nothing is tried" >&2
    exit 1
fi

remove() {
    $root dpkg --purge norn >/dev/null
}
$root dpkg --install "$package"
trap remove EXIT
norn --version
for file in share/man/man1/norn.1.gz share/man/man1/norn-check.1.gz \
    share/bash-completion/completions/norn share/zsh/vendor-completions/_norn \
    share/fish/vendor_completions.d/norn.fish; do
    test -s "/usr/$file" || { echo "missing: /usr/$file" >&2; exit 1; }
done

work=$(mktemp -d)
(cd "$work" && norn init && norn test tests/concurrency)
rm -rf "$work"

trap - EXIT
remove
# The shell may remember where the command was.
if test -e /usr/bin/norn || test -e /usr/share/man/man1/norn.1.gz; then
    echo "something is left behind" >&2
    exit 1
fi
echo "installed, tried and removed"
