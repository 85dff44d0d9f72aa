#!/bin/sh
# Does `cargo install` give a program that works when its sources are gone, with an empty home and without settings; and
# does a crate that depends on hardbop run?  Called by `make check-install`.  Without optimisation, which takes less
# time and is no matter here.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_PROFILE_RELEASE_OPT_LEVEL=0
export CARGO_TARGET_DIR="$root/target/install"
cargo=${CARGO:-cargo}

mkdir "$work/copy" "$work/home" "$work/empty" "$work/dependent" "$work/dependent/src"
tar -C "$root" --exclude=./target --exclude=./.git --exclude=./fuzz/target -cf - . | tar -C "$work/copy" -xf -
cp "$root/examples/lock-safe.bp" "$root/examples/lock-unsafe.bp" "$root/examples/send-queue.c" "$work"
$cargo install --quiet --locked --path "$work/copy" --root "$work/prefix"
rm -rf "$work/copy"

# What ends with $1, in the empty folder and with nothing in the environment.
expect() {
    code=$1
    shift
    found=0
    (cd "$work/empty" && env -i PATH=/usr/bin:/bin "$@" >"$work/out" 2>&1) || found=$?
    if test "$found" -ne "$code"; then
        echo "exit code $found, not $code: $*" >&2
        cat "$work/out" >&2
        exit 1
    fi
}
hardbop="$work/prefix/bin/hardbop"
home="HOME=$work/home"
cache="$work/home/.cache/hardbop"

expect 0 "$home" "$hardbop" --version
expect 10 "$home" "$hardbop" check "$work/lock-unsafe.bp"
expect 0 "$home" "$hardbop" check "$work/lock-safe.bp" --certificate "$work/lock.json"
expect 0 "$home" "$hardbop" certify "$work/lock-safe.bp" "$work/lock.json"
test ! -e "$cache" || { echo 'Z3 was unpacked for a Boolean program' >&2; exit 1; }
expect 0 "$home" "$hardbop" check "$work/send-queue.c"
test "$(ls "$cache" | wc -l)" -eq 1 || { echo "what is in $cache is not one library" >&2; exit 1; }
expect 0 "$home" "$hardbop" check "$work/send-queue.c"
# Without a home.
expect 0 "$hardbop" check "$work/send-queue.c"
expect 2 "$home" HARDBOP_Z3=/nowhere "$hardbop" check "$work/send-queue.c"
grep -q '/nowhere: not there' "$work/out"

cat >"$work/dependent/Cargo.toml" <<END
[package]
name = "dependent"
version = "0.1.0"
edition = "2024"

[dependencies]
hardbop = { path = "$root" }

# As in ours, so that what both depend on is not compiled twice.
[profile.release]
strip = true
END
cat >"$work/dependent/src/main.rs" <<'END'
use hardbop::{Budget, COptions, Source, Verdict, check_c};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
        int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 5 && x > 7) reach_error(); }";
    let source = Source::new("range.c", text);
    let answer = check_c(&source, &COptions::default(), &Budget::unlimited(), &mut ())?;
    assert_eq!(answer.verdict, Verdict::Safe);
    Ok(())
}
END
cp "$root/Cargo.lock" "$work/dependent"
(cd "$work/dependent" && $cargo run --quiet --release)
echo 'the installed program works alone, and so does a crate that depends on hardbop'
