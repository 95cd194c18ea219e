#!/bin/bash
# What a cold `cargo xtask serve` spends: its three builds in an empty folder, their time and processor time, and that of
# each crate. Takes minutes, some 3 GB in the folder (target/cold, or the one named), which is emptied before and after, and
# leaves the app in dist/. The wall time means something on a quiet machine only.
set -eu
export TIMEFORMAT='%R %U %S'

# Called by cargo in the place of the compiler: runs it, and writes down what it took.
if [ -n "${COLD_START_UNITS:-}" ]; then
    name=- target=host before=
    for argument in "$@"; do
        case $before in --crate-name) name=$argument ;; --target) target=$argument ;; esac
        before=$argument
    done
    took=$(mktemp)
    code=0
    # The compiler keeps the standard error; only what `time` says goes into the file.
    exec 3>&2
    { time "$@" 2>&3 || code=$?; } 2>"$took"
    read -r _ user system <"$took"
    rm "$took"
    echo "$name $target $user $system" >>"$COLD_START_UNITS"
    exit $code
fi

cd "$(dirname "$0")/.."
folder=${1:-target/cold}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
[ ! -e "$folder" ] || [ -e "$folder/CACHEDIR.TAG" ] || { echo "$folder is no folder of cargo's: name another" >&2; exit 1; }
rm -rf "$folder"
units=$(mktemp)
rm -f dist/.stamp # or the app would not be compressed again
exec 3>&2 # what cargo says is for who waits
trap 'rm -rf "$folder" "$units"' EXIT

# step NAME COMMAND...: seconds and processor seconds of a build, then its dearest crates.
step() {
    local name=$1 took
    shift
    : >"$units"
    took=$({ time COLD_START_UNITS=$units RUSTC_WRAPPER=$PWD/tools/cold-start.sh CARGO_TARGET_DIR=$folder \
        "$@" >&3 2>&3; } 2>&1) || { echo "$name failed: $*" >&2; exit 1; }
    echo "$took" | awk -v name="$name" '{ printf "%s: %.0f s, %.0f s of processors\n", name, $1, $2 + $3 }'
    awk '{ s = $3 + $4; all += s; n++; printf "%8.1f  %s (%s)\n", s, $1, $2 | "sort -rn | head -20" }
        END { close("sort -rn | head -20"); printf "%8.1f  all %d runs of the compiler; the rest is work of build scripts and tasks\n", all, n }' "$units"
}

step "the tasks" cargo build --package xtask
step "the web app" cargo run --quiet --package xtask -- build-web
step "the server" cargo build --release --package parlour
