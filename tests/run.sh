#!/bin/sh
# Sets up what the tests need (see setup.sh), then lint, format, types and tests; arguments go on to pytest.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
. "$root/setup.sh"
ready tests || set_up tests || exit

cd "$root" || exit 1
PATH=$venv/bin:$PATH
export PATH
unset PYTHONDONTWRITEBYTECODE # hundreds of tests start the program
failed=
check() {
    "$venv/bin/python" -m "$@" || failed="$failed${failed:+, }$1 $2"
}
check ruff check .
check ruff format --check .
check mypy
"$venv/bin/python" -m pytest -n 3 "$@" || exit
if [ -n "$failed" ]; then
    echo "Tests bestanden, aber nicht sauber: $failed" >&2
    exit 1
fi
