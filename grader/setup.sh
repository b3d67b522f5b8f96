#!/bin/sh
# Makes this machine ready for `make check`, or with the argument `tests` for `make test` too; run by
# every target, instant once done.
#
# Finds what is missing, installs it on Debian and Ubuntu where it may, and otherwise prints the one
# command that would. Leaves the path of the Python to use in build/setup/python.
#   exit 0  ready        exit 2  not ready; one sentence says what to do
set -u
cd "$(dirname "$0")/.." || exit 2
state=build/setup
ready=$state/python
locks=grader/requirements/grading.lock
# What grading imports.
modules=numpy,rich,matplotlib,jinja2

say() { printf 'setup: %s\n' "$*" >&2; }
stop() {
  say "$@"
  exit 2
}

case "${1-}" in
  '') ;;
  tests)
    # What the tests import besides. ruff and clang-format are programs: the tests that need them say
    # so and are skipped where they cannot be had.
    modules=$modules,pytest,hypothesis
    locks="$locks grader/requirements/tests.lock"
    ready=$state/tests
    ;;
  *) stop "usage: grader/setup.sh [tests]" ;;
esac

if ! [ -w "$state" ]; then
  # shellcheck disable=SC2015  # stop ends the script
  reason=$(mkdir -p "$state" 2>&1) && [ -w "$state" ] ||
    stop "$PWD/$state cannot be written${reason:+ (${reason##*: })}; copy the whole folder $PWD to a" \
      "place of your own and run make there."
fi

# Ready before, and nothing this script depends on has changed since.
# shellcheck disable=SC3013  # dash, bash and busybox all know -nt
unchanged() {
  for source in grader/setup.sh $locks; do
    [ "$ready" -nt "$source" ] || return
  done
  ! [ "$state/python" -nt "$ready" ]
}
if [ -f "$ready" ] && unchanged; then
  read -r python <"$state/python"
  [ -x "$python" ] && exit 0
fi

has() { command -v "$1" >/dev/null 2>&1; }
has_header() { printf '#include <%s>\n' "$1" | "${CXX:-g++}" -E -x c++ - >/dev/null 2>&1; }
has_modules() { "$1" -c "import $2" >/dev/null 2>&1; }

case "$(uname -s) $(uname -r)" in
  Linux*WSL2* | Linux*microsoft-standard*) ;;
  Linux*Microsoft*) stop "this is WSL 1; convert it to WSL 2 (wsl --set-version <name> 2) and try again." ;;
  Linux*) ;;
  Darwin*) stop "macOS cannot run this directly: open the folder in a Debian or Ubuntu container" \
    "(with Docker: docker run -it -v \"\$PWD:/ladder\" -w /ladder debian), and there:" \
    "apt-get update && apt-get install -y make && make check." ;;
  *) stop "this needs Linux: on Windows use WSL 2, elsewhere a Debian or Ubuntu container." ;;
esac

python=
for candidate in "$PWD/.venv/bin/python" python3; do
  if has "$candidate" && has_modules "$candidate" "$modules"; then
    python=$candidate
    break
  fi
done

required=
if ! has "${CXX:-g++}"; then
  required=" g++ libpng-dev"
else
  has_header png.h || required="$required libpng-dev"
fi
has nm || required="$required binutils"
has make || required="$required make"
has python3 || required="$required python3 python3-venv"
if [ -z "$python" ] && has python3 && ! has_modules python3 venv,ensurepip; then
  required="$required python3-venv"
fi
# clang++ checks what nvcc would reject; without it everything else works.
wanted=$required
has clang++ || wanted="$wanted clang"

install() {
  say "installing$1 (a few minutes the first time; log in $state/apt.log)"
  # Package lists of a fresh container are empty; where there is no network the old ones may do.
  $sudo apt-get update >"$state/apt.log" 2>&1
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1 \
    >>"$state/apt.log" 2>&1
}

if [ -n "$wanted" ]; then
  if ! has apt-get; then
    [ -z "$required" ] || stop "this is neither Debian nor Ubuntu; install what corresponds to:$required"
    installed=no
  else
    sudo=
    installed=no
    if [ "$(id -u)" != 0 ]; then sudo='sudo -n'; fi
    if [ -z "$sudo" ] || $sudo true 2>/dev/null; then
      install "$wanted" && installed=yes
      if [ $installed = no ] && [ -n "$required" ] && [ "$wanted" != "$required" ]; then
        install "$required" && installed=yes
      fi
      if [ $installed = no ] && [ -n "$required" ]; then
        stop "apt-get could not install$required (no network?); $state/apt.log says why. By hand:" \
          "apt-get update && apt-get install -y$required"
      fi
    elif [ -n "$required" ]; then
      stop "packages are missing; this command installs them, then try again:" \
        "sudo apt-get update && sudo apt-get install -y$wanted"
    fi
  fi
  has clang++ || say "without clang++ some mistakes that nvcc rejects are not found when compiling" \
    "(to add it: apt-get install clang)."
fi

if [ -z "$python" ]; then
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    stop "Python 3.10 or newer is needed; here is $(python3 --version 2>&1)."
  python=$PWD/.venv/bin/python
  say "installing Python packages into .venv (log in $state/pip.log)"
  install_packages() {
    "$python" -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv || return
    for lock in $locks; do
      # Python compiles a module at its first import: most modules of numpy never are imported.
      "$python" -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
        -r "$lock" || return
    done
  }
  if ! install_packages >"$state/pip.log" 2>&1; then
    # Without a network the last line says that a package was not found; the reason stands above.
    reason=$(sed -n "s/.*\(\[Errno [^']*\).*/\1/p" "$state/pip.log" | tail -n 1)
    stop "the Python packages could not be installed:" \
      "${reason:-$(grep . "$state/pip.log" | tail -n 1)} ($state/pip.log has the whole message). On" \
      "Debian and Ubuntu the system's packages also do:" \
      "apt-get install$(IFS=,; printf ' python3-%s' $modules)"
  fi
fi

# The full path, because the PATH may be another one next time.
"$python" -c 'import sys; print(sys.executable)' >"$state/python.part" &&
  mv "$state/python.part" "$state/python" &&
  { [ "$ready" = "$state/python" ] || echo "$locks" >"$ready"; }
