# SPDX-License-Identifier: Apache-2.0
# ./souk test. Sourced by ./souk (POSIX sh).

PASSED=0
FAILED=0
SKIPPED=0

# Runs the tests of one label and adds up what ctest says in its JUnit file.
run_labelled() { # PRESET LABEL_REGEX JOBS
  junit=$ROOT/build/$1/tests.xml
  rm -f "$junit"
  (cd "$ROOT" && ctest --preset "$1" -L "$2" -j "$3" --output-junit "$junit") && code=0 || code=$?
  [ -f "$junit" ] || die "ctest ran nothing of '$2' in the $1 build"
  # A test that was not run is skipped only if it asked for that; else (its program is missing) it failed.
  counts=$(awk '
    /^[ \t]*<testcase / { all++ }
    /^[ \t]*<testcase .* status="run"/ { passed++ }
    /^[ \t]*<testcase .* status="disabled"/ || /^[ \t]*<skipped message="SKIP_/ { skipped++ }
    END { print passed + 0, all - passed - skipped, skipped + 0 }' "$junit")
  read -r passed failed skipped <<END
$counts
END
  # ctest may have failed otherwise.
  [ "$code" = 0 ] || [ "$failed" -gt 0 ] || failed=1
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  SKIPPED=$((SKIPPED + skipped))
}

cmd_test() {
  which=${1:-all}
  case $which in unit | cluster | all) ;; *) bad_usage "test: unknown kind '$which'" ;; esac
  [ $# -le 1 ] || bad_usage "test takes one kind"
  install_packages build run test
  say "building the release and its tests"
  build_preset release all SOUK_TESTS
  if [ "$which" != cluster ]; then
    jobs=$(($(nproc) + 1)) # some tests wait
    run_labelled release unit "$jobs"
    say "building with AddressSanitizer and UndefinedBehaviorSanitizer"
    build_preset asan unit_tests
    run_labelled asan 'unit|cluster' "$jobs"
    say "building what has threads with ThreadSanitizer"
    build_preset tsan unit_tests
    run_labelled tsan unit "$jobs"
  fi
  if [ "$which" != unit ]; then
    run_labelled release 'golden|cluster' 1
  fi
  echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
  [ "$FAILED" = 0 ]
}
