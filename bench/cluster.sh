# SPDX-License-Identifier: Apache-2.0
# ./souk bench cluster. Sourced by ./souk (POSIX sh).

BENCH_FOLDER=  # of a market that lives for this run only
BENCH_STARTED= # set when the market is ours to stop

cluster_usage() {
  cat <<END
usage: ./souk bench cluster [--rate N] [--seconds S] [--data DIR] [--json] [--save]
  Asks a whole market on this machine through HAProxy at a fixed rate (open loop) and prints queries a second,
  latencies, CPU time a query and a sub-query, RAM a node.
  --rate N     queries a second; without it half of what the market is found to take
  --seconds S  how long it is measured, default 20
  --data DIR   a market of yours, started if it does not run; without it the sample market, in a folder of its own
  --json       everything that was measured, for programs
  --save       writes bench/results/cluster-DATE.md
END
}

# A base port whose whole family (soukctl topology init's) is free.
free_base_port() {
  for base in 18000 19000 21000 22000 23000 24000; do
    taken=
    for offset in 0 201 202 $(seq 1 8) $(seq 101 108) $(seq 301 308) $(seq 401 408); do
      ! is_port_taken "127.0.0.1:$((base + offset))" || taken=1
    done
    [ -n "$taken" ] || { echo "$base" && return 0; }
  done
  return 1
}

end_bench() {
  trap '' INT TERM HUP
  stop_measuring
  [ -z "$BENCH_STARTED" ] || "$SELF" down --data "$DATA" >&2 || true
  [ -z "$BENCH_FOLDER" ] || rm -rf "$BENCH_FOLDER"
}

bench_cluster() {
  rate='' seconds=20 json='' save='' given=''
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        cluster_usage
        return 0
        ;;
      --json) json=--json ;;
      --save) save=1 ;;
      --rate | --seconds | --data)
        [ $# -ge 2 ] && [ -n "$2" ] || bad_usage "$1 needs a value"
        case $1 in
          --rate) rate=$2 ;;
          --seconds) seconds=$2 ;;
          --data) given=1 DATA=$2 ;;
        esac
        shift
        ;;
      *) bad_usage "bench cluster: unknown argument '$1'" ;;
    esac
    shift
  done
  case $rate in *[!0-9.]* | *.*.* | .) bad_usage "--rate must be a number" ;; esac
  case $seconds in *[!0-9]* | ????*) bad_usage "--seconds must be a number from 1 to 600" ;; esac
  build_bench programs souk-bench-load >&2
  trap end_bench EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  if [ -z "$given" ]; then
    BENCH_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/souk-bench.XXXXXX") || die "cannot make a folder for the market"
    DATA=$BENCH_FOLDER/data
  fi
  resolve_data
  if ! is_anything_running; then
    BENCH_STARTED=1
    set --
    if [ ! -f "$DATA/topology.toml" ]; then
      port=$(free_base_port) || die "no free family of ports for the market"
      set -- --port "$port"
    fi
    "$SELF" up --detach --data "$DATA" "$@" >&2 || die "the market did not come up"
  fi
  set -- --data "$DATA" --bin "$BIN" --seconds "$seconds" $json
  [ -z "$rate" ] || set -- "$@" --rate "$rate"
  [ -z "$save" ] || set -- "$@" --save "$ROOT/bench/results"
  measure python3 "$ROOT/bench/cluster.py" "$@"
}
