# SPDX-License-Identifier: Apache-2.0
# ./souk bench. Sourced by ./souk (POSIX sh).

BENCH_PID= # of what measures

bench_usage() {
  cluster_usage
  engine_usage
  feeds_usage
  micro_usage
}

build_bench() { # TARGET...
  install_packages build run bench
  for target in "$@"; do build_preset release "$target" SOUK_BENCH; done
}

# Runs what measures so that a signal need not wait for it.
measure() {
  "$@" &
  BENCH_PID=$!
  wait "$BENCH_PID" && code=0 || code=$?
  BENCH_PID=
  return "$code"
}

stop_measuring() { [ -z "$BENCH_PID" ] || kill "$BENCH_PID" 2>/dev/null || true; }

cmd_bench() {
  case ${1:-} in
    cluster | engine | feeds | micro)
      kind=$1
      shift
      "bench_$kind" "$@"
      ;;
    *)
      bench_usage >&2
      exit 2
      ;;
  esac
}
