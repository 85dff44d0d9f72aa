#!/bin/sh
# Brings the sources of DepQBF 5.01 (GPL-3.0-or-later), as Debian distributes them, into this
# folder: for `cargo build --features depqbf` where the library is not installed.
set -eu
cd "$(dirname "$0")"

folder=depqbf-version-5.01
archive=depqbf_5.01.orig.tar.gz
sum=ba2b93b3a83917f6084ab88d75b4848ce9354584fb36d70537fa7490e42921bc

if test -e "$folder/qdpll.c"; then
    exit 0
fi
for url in \
    "https://deb.debian.org/debian/pool/main/d/depqbf/$archive" \
    "http://deb.debian.org/debian/pool/main/d/depqbf/$archive"
do
    if curl -sSfL --max-time 60 -o "$archive" "$url" && echo "$sum  $archive" | sha256sum -c --quiet
    then
        # In one step at the end: half of the sources is worse than none.
        rm -rf unpacked && mkdir unpacked && tar xzf "$archive" -C unpacked
        rm -rf "$folder" && mv "unpacked/$folder" "$folder"
        rm -rf unpacked "$archive"
        exit 0
    fi
    rm -f "$archive"
done
echo 'cannot fetch the sources of DepQBF' >&2
exit 1
