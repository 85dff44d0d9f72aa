#!/bin/sh
# Does the image of Containerfile build, and does it check programs, as its first lines say?
# Called by `make check-container`.  CONTAINER is podman, docker or buildah; else the first that is installed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "$*" >&2; exit 1; }

for tool in ${CONTAINER:-podman docker buildah}; do
    if command -v "$tool" >/dev/null; then break; fi
    tool=
done
test -n "$tool" || die 'needs podman, docker or buildah'

"$tool" build -t hardbop -f "$root/Containerfile" "$root"

if test "$tool" = buildah; then
    container=$(buildah from hardbop)
    trap 'buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT
    # `buildah run` passes over the entry point.
    hardbop() { buildah run -v "$work:/programs" "$container" -- hardbop "$@"; }
else
    hardbop() { "$tool" run --rm -v "$work:/programs" hardbop "$@"; }
fi

verdict() {
    code=$1
    shift
    found=0
    hardbop "$@" >"$work/out" 2>&1 || found=$?
    test "$found" -eq "$code" || { cat "$work/out" >&2; die "exit code $found, not $code: hardbop $*"; }
}

# What the user has is a folder with programs of their own.  The second one needs headers, and Z3.
cp "$root/examples/lock-unsafe.bp" "$work/lock.bp"
cp "$root/examples/send-queue.c" "$work/queue.c"
cat >"$work/turns.c" <<'END'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned turns = argc > 1 ? atoi(argv[1]) : 0, left = turns;
    int done = 0;
    while (left != 0) {
        left--;
        done++;
    }
    assert(done == (int)turns);
    return 0;
}
END
verdict 10 check lock.bp
verdict 0 check queue.c
verdict 0 check turns.c --certificate turns.json
verdict 0 certify turns.c turns.json
echo 'the image builds, and checks programs'
