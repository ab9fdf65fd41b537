# Sets a clone up on this machine: system packages, then .venv with the locked Python packages and the project itself.
# Sourced by `papierformer` and `tests/run.sh` with $root set. WHAT is `run`, or `tests` for the tests' tools too.
#   ready WHAT     whether .venv was finished for the lock files as they are now (fast: asked at every start)
#   set_up WHAT    makes it so; speaks German on stderr; status 2 if the user can mend it, 1 otherwise
# .venv is taken for good only if it holds the stamp that is written last; without a stamp it is made anew.

venv=$root/.venv
work=$root/.setup
lock=$work/lock
log=$work/log

# Debian's names of what WeasyPrint needs; on a Mac it is among the Python packages.
libraries='libpangoft2-1.0-0 libharfbuzz-subset0'

# Programs that tests start: command, Debian package, Homebrew formula.
test_tools='pdftoppm poppler-utils poppler
chromium chromium chromium
maxima maxima maxima'

# Java programs that tests start where Java and Maven are at hand: group, name, version.
test_jars='org.verapdf.apps greenfield-apps 1.28.2'

use_lock_file() {
    case $1 in tests) requirements=$root/requirements-dev.lock ;; *) requirements=$root/requirements.lock ;; esac
}

stamp() { # two lines: the project file and the lock file with their checksums
    use_lock_file "$1"
    cksum "$root/pyproject.toml" "$requirements"
}

ready() {
    [ -x "$venv/bin/python" ] && [ -f "$venv/ready-$1" ] || return
    { IFS= read -r first && IFS= read -r second; } <"$venv/ready-$1"
    [ "$(stamp "$1")" = "$first
$second" ]
}

say() { printf '%s\n' "$*" >&2; }

set_up() {
    take_lock || return
    trap 'rm -f "$lock"' EXIT
    trap 'say; exit 130' INT
    trap 'exit 143' TERM HUP
    status=0
    ready "$1" || make_ready "$1" || status=$?
    rm -f "$lock"
    trap - EXIT INT TERM HUP
    return "$status"
}

take_lock() { # one set-up at a time; a lock whose process has ended is left over from an interruption
    if ! mkdir -p "$work" 2>/dev/null || ! [ -w "$work" ]; then
        say "Der Ordner $root ist nicht beschreibbar; bitte das Projekt in einen eigenen Ordner kopieren."
        return 2
    fi
    waiting=
    until ln -s "$$" "$lock" 2>/dev/null; do
        owner=$(readlink "$lock") || continue
        if [ "$owner" = "$$" ] || ! { kill -0 "$owner" 2>/dev/null || [ -d "/proc/$owner" ]; }; then
            rm -f "$lock"
            continue
        fi
        [ -n "$waiting" ] || say "Die Einrichtung läuft schon in einem anderen Fenster (Prozess $owner); warte darauf …"
        waiting=yes
        sleep 1
    done
}

make_ready() {
    if finished_before; then
        say "Papierformer wird auf den neuen Stand gebracht:"
    else
        say "Papierformer wird eingerichtet (einmalig, ein bis zwei Minuten):"
    fi
    : >"$log"
    find_python || install_python || return
    install_system_packages "$1"
    if ! can "$python" 'import ensurepip, venv' && ! command -v uv >/dev/null; then
        say "Dem Python dieses Rechners fehlt das Modul „venv“; bitten Sie, wer ihn verwaltet, einmal um: apt-get install python3-venv $libraries"
        return 2
    fi
    install_python_packages "$1" || return
    [ "$1" != tests ] || { fetch_test_jars; fetch_test_proxy; fetch_test_browser; }
    if has_libraries; then
        limit=300 step "Formeln und Seiten des Beispiels" prepare || : # without them the first sheet only takes longer
    else
        tell_missing_libraries
    fi
    say "Fertig eingerichtet."
}

prepare() { # what never changes is made once, for everyone who uses this project (generator/basics/files.py)
    example='Die Katze sitzt auf der Matte'
    rm -rf "$venv/share/papierformer" "$work/example"
    papierformer_blatt "$example" &&
        papierformer_blatt "$example" --gewichte auswahl --stationen 10,11 --zielsatz 'The cat sits on the mat' --lernen alles
    status=$?
    rm -rf "$work/example"
    return $status
}

papierformer_blatt() {
    PYTHONDONTWRITEBYTECODE='' PAPIERFORMER_CACHE="$venv/share/papierformer" "$venv/bin/python" -m generator blatt "$@" --ausgabe "$work/example"
}

# --- running the steps -------------------------------------------------------------------------------------------

# step TITLE COMMAND...: a line with a dot for each package; all output to the log; the command's status.
# What takes longer than $limit seconds is ended, with all that it started.
limit=1800
step() {
    printf '  %s ' "$1" >&2
    shift
    export root python requirements # which the command may read
    (
        bounded "$limit" sh -c '. "$root/setup.sh"; "$@"' - "$@" </dev/null 2>&1 &
        trap 'kill "$!"' INT TERM HUP
        wait "$!" 2>/dev/null
        printf '\nstatus %s\n' "$?"
    ) | (
        status=1
        while IFS= read -r line; do
            printf '%s\n' "$line" >>"$log"
            case $line in
                "status "*)
                    status=${line#status }
                    break # what would not be ended may still hold the pipe
                    ;;
                Collecting* | Get:* | Unpacking* | "==> "*) printf . >&2 ;;
            esac
        done
        case $status in
            0) say " fertig" ;;
            137) say " nach $((limit / 60)) Minuten abgebrochen (Einzelheiten: $log)" ;;
            *) say " gescheitert" ;;
        esac
        exit "$status"
    )
}

bounded() { # bounded SECONDS COMMAND...: instead of this shell; status 137 if its time was up
    ! command -v timeout >/dev/null || exec timeout -s KILL "$@"
    exec perl -e '$limit = shift; # a Mac has no "timeout"
        $child = fork // die; if (!$child) { setpgrp; exec @ARGV }
        $SIG{ALRM} = sub { $late = 1; kill "KILL", -$child };
        $SIG{$_} = sub { kill "TERM", -$child } for qw(INT TERM HUP);
        alarm $limit; 1 while waitpid($child, 0) != $child;
        exit($late ? 137 : ($? & 127) + 128 * !!($? & 127) || $? >> 8)' "$@"
}

can() { # can PYTHON CODE: whether the code runs
    "$1" -c "$2" >/dev/null 2>&1
}

# --- Python itself -----------------------------------------------------------------------------------------------

find_python() { # sets $python to the real file, so that a later version of the system leaves no mixed .venv behind
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        python=$("$name" -c 'import os, sys
base = getattr(sys, "_base_executable", sys.executable)
print(os.path.realpath(base) if sys.version_info >= (3, 11) else "")' 2>/dev/null)
        [ -z "$python" ] || return 0
    done
    return 1
}

install_python() {
    if command -v python3 >/dev/null && found=$(python3 --version 2>/dev/null); then
        say "Papierformer braucht Python 3.11 oder neuer, hier gibt es $found; bitte ein neueres Python installieren."
        return 2
    fi
    if may_install 'Python'; then
        if command -v apt-get >/dev/null; then
            step "Python" apt_install python3 && find_python && return
        else
            step "Python" brew install --quiet python && find_python && return
        fi
    fi
    say "Papierformer braucht Python 3.11 oder neuer; bitte Python installieren (unter Debian und Ubuntu: apt-get install python3 python3-venv)."
    return 2
}

# --- system packages ---------------------------------------------------------------------------------------------

has_libraries() { # those that WeasyPrint loads
    [ -d /System/Library/CoreServices ] || can "$python" 'import ctypes
for name in ["gobject-2.0.so.0", "pango-1.0.so.0", "harfbuzz.so.0", "fontconfig.so.1", "pangoft2-1.0.so.0", "harfbuzz-subset.so.0"]:
    ctypes.CDLL(f"lib{name}")'
}

install_system_packages() { # asks the system for what is really missing, once; what cannot be had is told later
    debian='' brew=''
    can "$python" 'import ensurepip, venv' || debian="$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    has_libraries || debian="$debian $libraries"
    if [ "$1" = tests ]; then
        while read -r tool debian_package formula; do
            command -v "$tool" >/dev/null || debian="$debian $debian_package" brew="$brew $formula"
        done <<END
$test_tools
END
        # Debian packs apart what Maxima loads to read strings; Homebrew does not.
        find /usr/share/maxima -path '*/stringproc/*' 2>/dev/null | grep -q . || debian="$debian maxima-share"
    fi
    # The names are meant to be split into words.
    # shellcheck disable=SC2086
    if command -v apt-get >/dev/null; then
        [ -z "$debian" ] || { may_install "$debian" && step "Systempakete" apt_install $debian; }
    elif command -v brew >/dev/null; then
        [ -z "$brew" ] || step "Systempakete" brew install --quiet $brew
    fi
}

fetch_test_jars() { # into .setup; without Java or Maven the tests that want them are skipped
    command -v java >/dev/null && command -v mvn >/dev/null || return 0
    while read -r group name version; do
        [ -f "$work/$name-$version.jar" ] || step "$name" mvn --batch-mode --quiet dependency:copy \
            "-Dartifact=$group:$name:$version" "-DoutputDirectory=$work"
    done <<END
$test_jars
END
}

fetch_test_proxy() { # nginx, unpacked into .setup: its package would start a server; without it one test is skipped
    command -v nginx >/dev/null || [ -x "$work/nginx/usr/sbin/nginx" ] || ! command -v apt-get >/dev/null ||
        step "nginx" sh -c 'cd "$1" && apt-get download nginx && dpkg -x nginx_*.deb nginx && rm nginx_*.deb' - "$work"
    return 0
}

fetch_test_browser() { # Chromium that shows nothing: a third of the work; without it tests take the other one
    command -v chromium-headless-shell >/dev/null || ! command -v apt-get >/dev/null ||
        ! may_install chromium-headless-shell || step "Chromium ohne Fenster" apt_install chromium-headless-shell
    return 0
}

may_install() { # may_install NAMES: whether system packages can be installed here; may ask for the password
    if ! command -v apt-get >/dev/null; then
        command -v brew >/dev/null
        return
    fi
    [ "$(id -u)" != 0 ] || return 0
    command -v sudo >/dev/null || return
    sudo -n true 2>/dev/null && return
    [ -t 0 ] && [ -t 2 ] || return
    say "  Um $1 zu installieren, fragt sudo nach Ihrem Kennwort."
    sudo -v
}

apt_install() {
    root_command=
    [ "$(id -u)" = 0 ] || root_command='sudo -n'
    apt="$root_command env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=120"
    $apt update # a broken source of something else must not stop us
    $apt install --yes --no-install-recommends "$@"
}

tell_missing_libraries() {
    wanted="die Pakete Pango und HarfBuzz"
    ! command -v apt-get >/dev/null || wanted="apt-get install $libraries"
    say "  Ohne die Systembibliotheken Pango und HarfBuzz entsteht alles außer den PDFs; bitten Sie, wer diesen Rechner verwaltet, einmal um: $wanted"
}

# --- Python packages ---------------------------------------------------------------------------------------------

install_python_packages() {
    use_lock_file "$1"
    if finished_before; then
        rm -f "$venv"/ready-*
    else
        step "Python-Umgebung" make_venv
    fi &&
        step "Python-Pakete" pip_install --no-deps --require-hashes --only-binary :all: -r "$requirements" &&
        step "Papierformer" pip_install --no-deps --no-build-isolation --editable "$root" &&
        { [ "$1" != tests ] || stamp run >"$venv/ready-run"; } &&
        stamp "$1" >"$venv/ready-$1" && return
    grep -iE '^ *(e|error|[a-z]+error):' "$log" | tail -n 2 >&2
    say "Die Einrichtung ist nicht gelungen; bitte prüfen, ob der Rechner mit dem Internet verbunden und die Platte nicht voll ist, und noch einmal starten (Einzelheiten: $log)."
    return 1
}

finished_before() {
    [ -x "$venv/bin/python" ] && { [ -f "$venv/ready-run" ] || [ -f "$venv/ready-tests" ]; }
}

make_venv() {
    rm -rf "$venv" || return
    if can "$python" 'import ensurepip'; then "$python" -m venv "$venv"; else uv venv --python "$python" "$venv"; fi
}

pip_install() {
    if can "$venv/bin/python" 'import pip'; then
        PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "$venv/bin/python" -m pip install "$@"
    else
        uv pip install --python "$venv/bin/python" "$@"
    fi
}
