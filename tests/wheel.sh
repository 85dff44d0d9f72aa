#!/bin/sh
# Does the wheel in the folder $1 install into an empty environment, and work from an empty folder; and on a Ray cluster,
# where Ray can be installed?  Called by `make check-wheel`.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
wheels=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${PYTHON:-python3} -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-deps "$wheels"/hardbop-*.whl
mkdir "$work/empty"
cp -r "$root/examples" "$work/examples"
cp "$root"/python/tests/*.py "$work"
cd "$work/empty"
export PATH="$work/venv/bin:$PATH" HARDBOP_EXAMPLES="$work/examples"
python -m unittest discover -s "$work" -p test_module.py
wheel=$(ls "$wheels"/hardbop-*.whl)
if "$work/venv/bin/pip" install --quiet --retries 1 "$wheel[ray]" 2>/dev/null; then
    RAY_USAGE_STATS_ENABLED=0 python -m unittest discover -s "$work" -p 'test_ray*.py'
else
    echo 'skipped: Ray cannot be installed'
fi
"$work/venv/bin/pip" uninstall --quiet --yes hardbop
test ! -e "$work/venv/bin/hardbop" || { echo 'the command is left behind' >&2; exit 1; }
