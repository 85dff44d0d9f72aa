#!/bin/sh
# Installs what was built below DESTDIR/PREFIX, or removes it again: `make install`, `make uninstall`.
#   tools/install.sh install|uninstall FOLDER-OF-THE-BUILD
set -eu
what=$1
built=$2
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' capi/Cargo.toml | head -n 1)
library=libhardbop_c.so

case $prefix in
/*) ;;
*) echo "PREFIX=$prefix is no absolute path" >&2; exit 2 ;;
esac

# put MODE FILE PLACE: a file to a place below the prefix.
put() {
    if test "$what" = uninstall; then
        rm -f "$root/$3"
    else
        mkdir -p "$root/$(dirname "$3")"
        # A new file under a new name: the old one may be in use.
        install -m "$1" "$2" "$root/$3.new"
        mv -f "$root/$3.new" "$root/$3"
    fi
}

# link NAME PLACE: a link to a name in the same folder.
link() {
    if test "$what" = uninstall; then rm -f "$root/$2"; else ln -sf "$1" "$root/$2"; fi
}

case $what in
install)
    for file in hardbop $library libhardbop_c.a; do
        test -e "$built/$file" || { echo "$built/$file is not there: first 'make build capi'" >&2; exit 1; }
    done
    made=$(mktemp)
    trap 'rm -f "$made"' EXIT
    # Spaces as pkg-config wants them, then all as sed does.
    escaped=$(printf '%s' "$prefix" | sed -e 's/ /\\ /g' -e 's/[\\&|]/\\&/g')
    sed -e "s|@PREFIX@|$escaped|" -e "s|@VERSION@|$version|" capi/hardbop.pc.in >"$made"
    ;;
uninstall) made= ;;
*) echo "not '$what', but install or uninstall" >&2; exit 2 ;;
esac

put 755 "$built/hardbop" bin/hardbop
if test "$what" = uninstall || test -e vendor/z3/lib/libz3.so; then
    put 644 vendor/z3/lib/libz3.so lib/hardbop/libz3.so
else
    echo 'Z3 was not fetched, and is not installed: C programs need one of the system' >&2
fi
put 644 "$built/$library" "lib/$library.$version"
link "$library.$version" "lib/$library.${version%%.*}"
link "$library.${version%%.*}" "lib/$library"
put 644 "$built/libhardbop_c.a" lib/libhardbop_c.a
put 644 capi/include/hardbop.h include/hardbop.h
put 644 "$made" lib/pkgconfig/hardbop.pc
put 644 docs/hardbop.1 share/man/man1/hardbop.1
put 644 docs/completions/hardbop.bash share/bash-completion/completions/hardbop
put 644 docs/completions/_hardbop share/zsh/site-functions/_hardbop
put 644 docs/completions/hardbop.fish share/fish/vendor_completions.d/hardbop.fish
put 644 LICENSE-MIT share/doc/hardbop/LICENSE-MIT
put 644 LICENSE-APACHE share/doc/hardbop/LICENSE-APACHE

if test "$what" = uninstall; then
    # Folders of our own; others may be somebody else's.
    for folder in lib/hardbop share/doc/hardbop; do
        rmdir "$root/$folder" 2>/dev/null || true
    done
elif test -z "${DESTDIR:-}" && test "$(id -u)" = 0 && command -v ldconfig >/dev/null; then
    ldconfig || true
fi
