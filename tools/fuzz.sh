#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/fuzz.sh [SECONDS]: builds the fuzz targets with libFuzzer and the sanitizers, and runs each so long (default 60)
# over a copy of its corpus in tests/fuzz/corpus/NAME. A finding is left as build/fuzz/NAME-crash-*.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
root=$PWD
failed=0
export CCACHE_SLOPPINESS=pch_defines,time_macros

# fuzzer-no-link: all of our code counts coverage, only the targets get libFuzzer's main
cmake --preset asan -B build/fuzz -DSOUK_FUZZ=ON -DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link >/dev/null
targets=$(cmake --build build/fuzz --target help | sed -n 's/^\(fuzz_[a-z0-9_]*\):.*/\1/p' | sort -u)
if [ -z "$targets" ]; then
  echo "no fuzz targets"
  exit 0
fi
# shellcheck disable=SC2086  # names without blanks
cmake --build build/fuzz --target $targets -- --quiet

for target in $targets; do
  corpus=$root/build/fuzz/corpus-$target
  mkdir -p "$corpus"
  seeds=$root/tests/fuzz/corpus/${target#fuzz_}
  [ ! -d "$seeds" ] || cp -R "$seeds/." "$corpus"
  echo "$target: $seconds s"
  "build/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="build/fuzz/$target-" "$corpus" || failed=1
done
exit "$failed"
