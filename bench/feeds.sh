# SPDX-License-Identifier: Apache-2.0
# ./souk bench feeds. Sourced by ./souk (POSIX sh).

FEEDS_FOLDER= # of the feeds that live for this run only

feeds_usage() {
  cat <<END
usage: ./souk bench feeds [--mb N] [--json] [--save]
  Makes YML feeds like those of large shops and reads them: unpacking, decoding, parsing and validation, without the
  offer store. Prints MB/s of one core's CPU time and the memory it took: plain UTF-8, gzip, windows-1251, leniently.
  --mb N  MiB of UTF-8 text in a feed, default 256
  --json  everything that was measured, for programs
  --save  writes bench/results/feeds-DATE.md
END
}

bench_feeds() {
  mb=256 json='' save=''
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        feeds_usage
        return 0
        ;;
      --json) json=--json ;;
      --save) save=1 ;;
      --mb)
        [ $# -ge 2 ] && [ -n "$2" ] || bad_usage "$1 needs a value"
        mb=$2
        shift
        ;;
      *) bad_usage "bench feeds: unknown argument '$1'" ;;
    esac
    shift
  done
  case $mb in '' | 0* | *[!0-9]* | ??????*) bad_usage "--mb must be a number from 1 to 99999" ;; esac
  build_bench souk-bench-feeds >&2
  FEEDS_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/souk-bench-feeds.XXXXXX") || die "cannot make a folder for the feeds"
  trap 'stop_measuring; rm -rf "$FEEDS_FOLDER"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  set -- --mb "$mb" --bin "$BIN" --folder "$FEEDS_FOLDER" $json
  [ -z "$save" ] || set -- "$@" --save "$ROOT/bench/results"
  measure python3 "$ROOT/bench/feeds.py" "$@"
}
