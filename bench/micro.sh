# SPDX-License-Identifier: Apache-2.0
# ./souk bench micro. Sourced by ./souk (POSIX sh).

MICRO_FOLDER= # of the index that lives for this run only

micro_usage() {
  cat <<END
usage: ./souk bench micro [OPTION]...
  The loops that a query's time goes into, at every SIMD level of this CPU: decode, intersect, score, top-k, facets.
  Options are Google Benchmark's, e.g. --benchmark_filter=intersect
END
}

bench_micro() {
  for option in "$@"; do
    case $option in
      --help | -h)
        micro_usage
        return 0
        ;;
      --benchmark_*) ;;
      *) bad_usage "bench micro: unknown argument '$option'" ;;
    esac
  done
  build_bench souk-bench-titles souk-bench-engine souk-bench-micro >&2
  MICRO_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/souk-bench-micro.XXXXXX") || die "cannot make a folder for the index"
  trap 'stop_measuring; rm -rf "$MICRO_FOLDER"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  say "building an index of 300000 documents" >&2
  mkdir "$MICRO_FOLDER/index" &&
    measure "$BIN/souk-bench-titles" --out "$MICRO_FOLDER" --docs 300000 >/dev/null &&
    measure "$BIN/souk-bench-engine" build "$MICRO_FOLDER" "$MICRO_FOLDER/index" >/dev/null &&
    measure "$BIN/souk-bench-micro" "$MICRO_FOLDER/index" "$@"
}
