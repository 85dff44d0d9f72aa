#!/bin/sh
# Makes a Debian package of what was built: `make deb`.
#   tools/deb.sh FOLDER-OF-THE-BUILD FOLDER-FOR-THE-PACKAGE
set -eu
built=$1
out=$2
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/debian/hardbop
chmod 755 "$work"

DESTDIR=$stage PREFIX=/usr tools/install.sh install "$built"

# As Debian wants it: texts packed, one file about licences, completions of zsh among those of packages.
gzip -9 -n "$stage/usr/share/man/man1/hardbop.1"
gzip -9 -n -c CHANGELOG.md >"$stage/usr/share/doc/hardbop/changelog.gz"
mkdir "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_hardbop" "$stage/usr/share/zsh/vendor-completions"
rmdir "$stage/usr/share/zsh/site-functions"
rm "$stage/usr/share/doc/hardbop/LICENSE-MIT" "$stage/usr/share/doc/hardbop/LICENSE-APACHE"
{
    cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: the hardbop authors
License: Expat or Apache-2.0

Files: usr/lib/hardbop/libz3.so
Copyright: Microsoft Corporation
License: Expat
Comment: Z3, from the wheel z3-solver of PyPI.

License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.

License: Expat
TEXT
    sed -e '1,/^Copyright/d' -e 's/^$/./' -e 's/^/ /' LICENSE-MIT
} >"$stage/usr/share/doc/hardbop/copyright"

# The libraries that programs and libraries are linked with, as Debian's packages.
needed='libc6, libgcc-s1, libstdc++6'
if command -v dpkg-shlibdeps >/dev/null; then
    printf 'Source: hardbop\n\nPackage: hardbop\nArchitecture: any\n' >"$work/debian/control"
    found=$(cd "$work" && dpkg-shlibdeps -O -l"$stage/usr/lib" "$stage/usr/bin/hardbop" \
        "$stage/usr/lib/libhardbop_c.so.$version" 2>/dev/null) && needed=${found#shlibs:Depends=}
fi

mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<END_OF_CONTROL
Package: hardbop
Version: $version
Architecture: $architecture
Maintainer: ${DEB_MAINTAINER:-the hardbop authors <hardbop@localhost>}
Installed-Size: $(du -k -s "$stage/usr" | cut -f 1)
Depends: $needed
Recommends: gcc | c-compiler
Section: devel
Priority: optional
Description: software model checker for C programs and Boolean programs
 hardbop decides whether an error of a program can be reached. C is checked by
 predicate abstraction with large blocks, bit-precisely; Boolean programs by
 property-directed reachability, and by summaries with SAT, QBF and BDDs.
 .
 The package has the program, the library for C with its header, and the
 library of Z3.
END_OF_CONTROL
printf 'activate-noawait ldconfig\n' >"$stage/DEBIAN/triggers"
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"

mkdir -p "$out"
dpkg-deb --root-owner-group -Zxz --build "$stage" "$out/hardbop_${version}_$architecture.deb"
