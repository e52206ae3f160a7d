#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/fuzz.sh [--each SECONDS] [--polite] [--record FILE] [TARGET...]: builds the fuzz targets with libFuzzer and the
# sanitizers and runs them (all, unless named), as many at once as there are cores, from the seeds in
# tests/fuzz/corpus/NAME and what earlier runs found.
#   (nothing)        as in CI: a minute each for what a stranger can reach, some seconds for the rest, about 6 minutes
#   --each SECONDS   every target so long
#   --polite         only with the time that nobody else wants
#   --record FILE    appends a line of JSON per target
# One line per target; the exit code is not 0 when one of them found something, which then lies in build/fuzz/NAME-*.
set -euo pipefail
cd "$(dirname "$0")/.."

exposed=' fuzz_gate fuzz_google_tsv fuzz_google_xml fuzz_input fuzz_manifest fuzz_parameters fuzz_shard_file
  fuzz_shard_reply fuzz_yml '
exposed_seconds=60
other_seconds=2
each=
jobs=$(nproc)
polite=
record=
chosen=
while [ $# -gt 0 ]; do
  case $1 in
    --each)
      [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || { echo "fuzz.sh: $1 needs a number of seconds" >&2; exit 2; }
      each=$2
      shift
      ;;
    --polite) polite='nice -n 19' ;;
    --record)
      [ -n "${2:-}" ] || { echo "fuzz.sh: --record needs a file" >&2; exit 2; }
      record=$2
      shift
      ;;
    fuzz_*) chosen="$chosen $1" ;;
    *) echo "fuzz.sh: unknown argument '$1'" >&2; exit 2 ;;
  esac
  shift
done

commit=$(git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null || echo unknown)
# The tests' build with the sanitizers: all of our code counts coverage there, only the targets get libFuzzer's main.
cmake --preset asan >/dev/null
targets=${chosen:-$(printf '%s\n' tests/fuzz/*_fuzz.cpp | sed 's|.*/\(.*\)_fuzz\.cpp$|fuzz_\1|')}
# shellcheck disable=SC2086  # names without blanks
$polite cmake --build --preset asan --parallel "$(nproc)" --target $targets -- --quiet

seconds_of() { # TARGET
  if [ -n "$each" ]; then
    echo "$each"
  elif [[ $exposed == *[[:space:]]"$1"[[:space:]]* ]]; then
    echo "$exposed_seconds"
  else
    echo "$other_seconds"
  fi
}

# Runs one target to its end, says how it went in one line, and leaves "ok" or what it found in NAME.result.
run_target() { # TARGET
  local name=${1#fuzz_} seconds seed begin code=0 result executions found cpu
  local corpus=build/fuzz/corpus-$1 log=build/fuzz/$1.log options=()
  seconds=$(seconds_of "$1")
  seed=$((0x$(od -An -N3 -tx4 /dev/urandom | tr -d ' ') + 1))
  mkdir -p "$corpus"
  [ ! -d "tests/fuzz/corpus/$name" ] || cp -R "tests/fuzz/corpus/$name/." "$corpus"
  [ ! -f "tests/fuzz/$name.dict" ] || options+=("-dict=tests/fuzz/$name.dict")
  begin=$(date +%s)
  $polite "build/asan/$1" -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/$1-" "${options[@]}" "$corpus" >"$log" 2>&1 </dev/null || code=$?
  times >"build/fuzz/$1.times" # of this subshell's children, so of the target alone
  cpu=$(awk 'NR == 2 { split($1, t, "m"); print int(60 * t[1] + t[2]) }' "build/fuzz/$1.times")
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  found=$(sed -n 's/^.*Test unit written to //p' "$log" | tail -n 1)
  result=ok
  [ "$code" = 0 ] || result=${found##*/"$1"-}
  [ -n "$result" ] || result="exit code $code"
  seconds=$(($(date +%s) - begin))
  printf '%-18s %10s executions %5s s  %s\n' "$1" "${executions:-?}" "$seconds" "$result"
  [ "$code" = 0 ] || tail -n 40 "$log"
  [ -z "$record" ] ||
    printf '{"date":"%s","target":"%s","seed":%s,"executions":%s,"seconds":%s,"cpu_seconds":%s,"commit":"%s","corpus":%s,"result":"%s"}\n' \
      "$(date -u +%F)" "$1" "$seed" "${executions:-0}" "$seconds" "$cpu" "$commit" "$(find "$corpus" -type f | wc -l)" \
      "$result" >>"$record"
  echo "$result" >"build/fuzz/$1.result"
}

running=0
for target in $targets; do
  rm -f "build/fuzz/$target.result"
  [ "$running" -lt "$jobs" ] || { wait -n && running=$((running - 1)); }
  run_target "$target" &
  running=$((running + 1))
done
wait
for target in $targets; do
  [ "$(cat "build/fuzz/$target.result" 2>/dev/null)" = ok ] || exit 1
done
