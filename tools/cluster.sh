#!/bin/sh
# What a cluster costs, beside one machine alone: `parlour load` at one `parlour serve`, then the same at the first of three nodes with
# three servers of NATS, all on this machine. All that it starts ends with it, and its folder is removed.
#
#     cargo build --release -p parlour
#     PARLOUR_NATS=.../nats-server tools/cluster.sh --game 12-step --tables 200 [--rate N]
#
# `cargo xtask test` fetches the server to target/nats-server-*/bin. STORE names a folder for all that is stored (/dev/shm: in memory).
set -eu
cd "$(dirname "$0")/.."
parlour=${PARLOUR_BIN:-target/release/parlour}
nats=${PARLOUR_NATS:-$(ls target/nats-server-*/bin/nats-server 2>/dev/null | tail -n 1)}
[ -x "$parlour" ] || { echo "no $parlour: cargo build --release -p parlour" >&2; exit 1; }
[ -x "$nats" ] || { echo "no server of NATS: run cargo xtask test once, or name one in PARLOUR_NATS" >&2; exit 1; }
folder=$(mktemp -d -p "${STORE:-${TMPDIR:-/tmp}}")
running=
finish() { kill $running 2>/dev/null || true; wait; rm -rf "$folder"; }
trap finish EXIT
trap 'exit 1' INT TERM
limits="--requests-per-second 100000 --messages-per-second 100000 --processor-ms-per-second 100000
    --max-connections-per-address 20000 --max-tables 100000 --max-tables-per-address 100000"

# Starts a parlour on this port, in this folder, with more arguments, and waits until it answers.
serve() {
    port=$1 data=$folder/$2
    shift 2
    # shellcheck disable=SC2086 # the limits are several words
    "$parlour" serve --listen "127.0.0.1:$port" --data "$data" $limits "$@" >"$data.log" 2>&1 &
    last=$!
    running="$running $last"
    for _ in $(seq 300); do
        curl --silent --fail --output /dev/null "http://127.0.0.1:$port/healthz" && return
        sleep 0.1
    done
    cat "$data.log" >&2
    exit 1
}

echo "One machine:"
serve 7600 alone
"$parlour" load --server http://127.0.0.1:7600 "$@"
kill "$last"
wait "$last" || true

NATS_ROUTES='["nats://route:route@127.0.0.1:6601","nats://route:route@127.0.0.1:6602","nats://route:route@127.0.0.1:6603"]'
for n in 1 2 3; do
    cat >"$folder/nats-$n.conf" <<END
server_name: nats-$n
listen: "127.0.0.1:460$n"
jetstream { store_dir: "$folder/nats-$n", max_file_store: 20GB, sync_interval: always }
cluster { name: parlour, listen: "127.0.0.1:660$n", authorization { user: route, password: route }, routes: $NATS_ROUTES }
accounts {
  \$SYS { users: [{ user: system, password: system }] }
  PARLOUR { jetstream: enabled, users: [{ user: parlour, password: parlour }] }
}
END
    "$nats" --config "$folder/nats-$n.conf" >"$folder/nats-$n.log" 2>&1 &
    running="$running $!"
done
export PARLOUR_CLUSTER_PASSWORD=parlour PARLOUR_CLUSTER_SYSTEM_PASSWORD=system
for n in 1 2 3; do
    # All nodes sign with one key.
    mkdir "$folder/node-$n"
    cp "$folder"/alone/*.key "$folder/node-$n/"
    serve "760$n" "node-$n" --node "node-$n" --cluster nats://127.0.0.1:4601,nats://127.0.0.1:4602,nats://127.0.0.1:4603
done
# Until each partition is where it is to be.
sleep 15
echo "Three nodes:"
"$parlour" load --server http://127.0.0.1:7601 "$@"
