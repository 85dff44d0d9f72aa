#!/bin/sh
# Brings Z3's library (MIT licence), prebuilt, into this folder: from the wheel z3-solver 5.4.0.0
# on PyPI, for 64-bit Linux.
set -eu
cd "$(dirname "$0")"

version=5.4.0.0
case "$(uname -s)-$(uname -m)" in
Linux-x86_64)
    wheel=z3_solver-$version-py3-none-manylinux_2_27_x86_64.whl
    platform=manylinux_2_27_x86_64
    sum=0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b
    ;;
Linux-aarch64)
    wheel=z3_solver-$version-py3-none-manylinux_2_38_aarch64.whl
    platform=manylinux_2_38_aarch64
    sum=fffb36861d4da1f9584d0fd4a80dbf247fdfbebb04b5c31a90b460b14c86cab0
    ;;
*)
    echo "there is no pinned wheel of z3-solver for $(uname -s) on $(uname -m); install Z3's library" >&2
    exit 1
    ;;
esac

# The library as the program carries it: see build.rs.
pack() {
    gzip -9 -n -c "$1/libz3.so" >"$1/packed.gz"
    sha256sum "$1/libz3.so" | cut -d ' ' -f 1 >"$1/packed.sha256"
}

if test -e lib/libz3.so && test -e "lib/.$sum"; then
    test -s lib/packed.sha256 || pack lib
    exit 0
fi

# pip knows mirrors and proxies; curl is for machines without it.
fetch() {
    for pip in "${PYTHON:-python3} -m pip" pip3 pip; do
        if $pip download --quiet --no-deps --only-binary=:all: --platform "$platform" \
            --dest unpacked "z3-solver==$version"
        then
            return 0
        fi
    done
    url=https://files.pythonhosted.org/packages/py3/z/z3_solver/$wheel
    curl -sSfL --max-time 300 -o "unpacked/$wheel" "$url"
}

rm -rf unpacked
mkdir unpacked
trap 'rm -rf unpacked' EXIT
if ! fetch 2>unpacked/errors; then
    cat unpacked/errors >&2
    echo 'cannot fetch the wheel z3-solver' >&2
    exit 1
fi
echo "$sum  unpacked/$wheel" | sha256sum -c --quiet
if command -v unzip >/dev/null 2>&1; then
    unzip -q "unpacked/$wheel" 'z3/lib/*' 'z3_solver-*.dist-info/*' -d unpacked
else
    "${PYTHON:-python3}" -m zipfile -e "unpacked/$wheel" unpacked
fi

# One file under both names: the one that is looked for, and the library's own.
mkdir unpacked/new
cp "unpacked/z3/lib/libz3.so" unpacked/new/libz3.so.5.4
ln -s libz3.so.5.4 unpacked/new/libz3.so
pack unpacked/new
touch "unpacked/new/.$sum"
# In one step at the end: half of the library is worse than none.
rm -rf lib && mv unpacked/new lib
