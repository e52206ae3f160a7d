find_package(GTest CONFIG REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)
include(GoogleTest)

# One precompiled header for all test binaries.
file(WRITE ${CMAKE_BINARY_DIR}/test_pch.cpp "")
add_library(souk_test_pch OBJECT ${CMAKE_BINARY_DIR}/test_pch.cpp)
target_link_libraries(souk_test_pch PUBLIC souk_flags GTest::gmock rapidcheck rapidcheck_gtest)
target_precompile_headers(souk_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h> <string> <vector>)

# All test binaries that this build runs. Under ThreadSanitizer those are the ones with threads: the rest would cost
# minutes and could find nothing.
add_custom_target(unit_tests)
set(SOUK_THREADED_TESTS
  unit_exec unit_net unit_obs unit_health unit_fanout unit_meta_serve unit_node unit_generation unit_shard_server
  unit_snippet_store unit_snippet_client unit_snippet_serve unit_control_serve unit_control_store)

# souk_add_test(unit_index SOURCES ... DEPS souk_index): one binary per second-level folder, label "unit".
function(souk_add_test name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    set(A_LABELS unit)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS} GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  target_precompile_headers(${name} REUSE_FROM souk_test_pch)
  if(SOUK_SANITIZER STREQUAL "thread" AND NOT name IN_LIST SOUK_THREADED_TESTS)
    return()
  endif()
  add_dependencies(unit_tests ${name})
  gtest_discover_tests(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 120 DISCOVERY_TIMEOUT 60)
endfunction()
