find_package(GTest CONFIG REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)
include(GoogleTest)

# One precompiled header for all test binaries.
file(WRITE ${CMAKE_BINARY_DIR}/test_pch.cpp "")
add_library(souk_test_pch OBJECT ${CMAKE_BINARY_DIR}/test_pch.cpp)
target_link_libraries(souk_test_pch PUBLIC souk_flags GTest::gmock rapidcheck rapidcheck_gtest)
target_precompile_headers(souk_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h> <string> <vector>)

# souk_add_test(unit_index SOURCES ... DEPS souk_index): one binary per second-level folder, label "unit".
function(souk_add_test name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    set(A_LABELS unit)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS} GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  target_precompile_headers(${name} REUSE_FROM souk_test_pch)
  gtest_discover_tests(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 120 DISCOVERY_TIMEOUT 60)
endfunction()
