#!/bin/sh
# Does `make install` give a program, a library and a manual page that work; does `make uninstall` leave nothing?
# Called by `make check-prefix`, with what was built in the folder $1.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
built=$1
unset DESTDIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "$*" >&2; exit 1; }

# Staged, as packages are made: nothing is written elsewhere, and the prefix is that of the later place.
mkdir "$work/stage" "$work/home"
DESTDIR="$work/stage" PREFIX=/opt/hardbop "$root/tools/install.sh" install "$built"
test "$(ls "$work/stage")" = opt || die 'DESTDIR is not the only folder'
stage="$work/stage/opt/hardbop"
grep -qx 'prefix=/opt/hardbop' "$stage/lib/pkgconfig/hardbop.pc" || die 'hardbop.pc has another prefix'

# The program finds Z3 beside it, and so unpacks nothing.
verdict() {
    code=$1
    shift
    found=0
    env -i PATH=/usr/bin:/bin HOME="$work/home" "$@" >"$work/out" 2>&1 || found=$?
    test "$found" -eq "$code" || { cat "$work/out" >&2; die "exit code $found, not $code: $*"; }
}
verdict 10 "$stage/bin/hardbop" check "$root/examples/lock-unsafe.bp"
verdict 0 "$stage/bin/hardbop" check "$root/examples/send-queue.c"
if test -e "$stage/lib/hardbop/libz3.so"; then
    test ! -e "$work/home/.cache" || die 'Z3 was unpacked, though it is installed'
fi

# The library, by way of pkg-config; twice, for an installation may replace another one.
prefix="$work/a prefix"
for round in 1 2; do
    PREFIX="$prefix" "$root/tools/install.sh" install "$built"
done
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
if command -v pkg-config >/dev/null && command -v cc >/dev/null; then
    options='-std=c99 -D_POSIX_C_SOURCE=200809L -pthread'
    eval cc $options "'$root/examples/c-api/check.c'" -o "'$work/shared'" "$(pkg-config --cflags --libs hardbop)"
    LD_LIBRARY_PATH="$prefix/lib" "$work/shared" >"$work/out" || die 'the program with the shared library fails'
    version=$(pkg-config --modversion hardbop)
    sed "s/VERSION/$version/" "$root/tests/doors/c_api/expected.txt" | diff - "$work/out"
    mv "$prefix/lib/libhardbop_c.so" "$prefix/lib/kept"
    eval cc $options "'$root/examples/c-api/check.c'" -o "'$work/static'" "$(pkg-config --static --cflags --libs hardbop)"
    mv "$prefix/lib/kept" "$prefix/lib/libhardbop_c.so"
    "$work/static" | diff "$work/out" -
else
    echo 'skipped: there is no pkg-config, or no C compiler'
fi
if command -v man >/dev/null && man --version >/dev/null 2>&1; then
    man -M "$prefix/share/man" hardbop >"$work/page" 2>/dev/null || die 'man does not find the page'
fi

PREFIX="$prefix" "$root/tools/install.sh" uninstall "$built"
left=$(find "$prefix" ! -type d)
test -z "$left" || die "left behind: $left"
echo 'what is installed works, and is removed again'
