find_package(GTest CONFIG REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)
include(GoogleTest)

# Fuzzers need no coverage of a test's own code, and four checks of each pointer in it take a third of its build.
set(SOUK_TEST_OPTIONS "")
if(SOUK_SANITIZER MATCHES "undefined")
  set(SOUK_TEST_OPTIONS -fno-sanitize=fuzzer-no-link,null,alignment,object-size,vptr)
endif()
souk_add_pch(souk_test_pch
  HEADERS ${SOUK_ASIO_HEADERS} <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>
  DEPS souk_boost GTest::gmock rapidcheck rapidcheck_gtest
  OPTIONS ${SOUK_TEST_OPTIONS})

# All test binaries that this build runs. Under ThreadSanitizer those are the ones with threads: the rest would cost
# minutes and could find nothing.
add_custom_target(unit_tests)
set(SOUK_THREADED_TESTS
  unit_exec unit_net unit_obs unit_health unit_fanout unit_meta_serve unit_node unit_generation unit_shard_server
  unit_snippet_store unit_snippet_client unit_snippet_serve unit_control_serve unit_control_store
  unit_fetch unit_sandbox unit_ingest unit_partner)

# souk_add_test(unit_index SOURCES ... DEPS souk_index): one binary per second-level folder, label "unit".
# TOGETHER "*Server*": tests that share what is dear to start run as one, in one process; the others each in its own.
function(souk_add_test name)
  cmake_parse_arguments(A "" "TOGETHER" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    set(A_LABELS unit)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS} GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  souk_use_pch(${name} souk_test_pch)
  target_compile_options(${name} PRIVATE ${SOUK_TEST_OPTIONS})
  souk_optimize_less(${name})
  if(SOUK_SANITIZER STREQUAL "thread" AND NOT name IN_LIST SOUK_THREADED_TESTS)
    return()
  endif()
  add_dependencies(unit_tests ${name})
  if(A_TOGETHER)
    add_test(NAME ${name}_together COMMAND ${name} --gtest_filter=${A_TOGETHER})
    set_tests_properties(${name}_together PROPERTIES LABELS "${A_LABELS}" COST 10 TIMEOUT 120
      SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    set(filter TEST_FILTER "-${A_TOGETHER}")
  endif()
  gtest_discover_tests(${name} ${filter} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 120 DISCOVERY_TIMEOUT 60)
endfunction()
