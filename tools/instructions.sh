#!/bin/sh
# Instructions that the engine takes, counted by valgrind: the same on every machine of a kind, and however busy it is.
# Needs valgrind. Each program is run with two amounts of work; what they differ by has no start-up in it.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p parlour-pattern --example deals -p parlour-contract --example decisions

# count PROGRAM AMOUNT: instructions of one run.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" 2>&1 >/dev/null |
        sed -n 's/.*Collected : *//p'
}

# each NAME PROGRAM FEW MANY
each() {
    few=$(count "$2" "$3")
    many=$(count "$2" "$4")
    echo "$1: $(( (many - few) / ($4 - $3) )) instructions"
}

each "a whole set-classic deal" "$target"/release/examples/deals 100 400
each "a whole contract match of random players" "$target"/release/examples/decisions 2 6
