# Tests are built without optimisation, and with a sanitizer most of our code: that takes a third to two thirds off the
# time of the builds. What loops over much data is optimised, so that the tests stay short.
function(souk_keeps_optimization name result)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(${result} OFF PARENT_SCOPE)
  if("${folder}/${name}" MATCHES "^(core|indexer/(input|feed|match|sample)|tests/fuzz)/|/souk_test_world$" OR
     NOT (SOUK_SANITIZER OR folder MATCHES "^tests/"))
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

function(souk_optimize_less name)
  souk_keeps_optimization(${name} keeps)
  if(NOT keeps)
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# Headers of others that take seconds to read are read once: a precompiled header for what is optimised, one for what is
# not. The dev build has none for our libraries, so that it notices a file that does not include what it uses.
set(SOUK_DEAR_HEADERS
  <algorithm> <array> <charconv> <chrono> <filesystem> <functional> <map> <memory> <optional> <string> <unordered_map>
  <vector> <fmt/format.h> <boost/json.hpp> <google/protobuf/message.h>)
set(SOUK_ASIO_HEADERS
  <boost/asio/awaitable.hpp> <boost/asio/bind_cancellation_slot.hpp> <boost/asio/cancellation_signal.hpp>
  <boost/asio/co_spawn.hpp> <boost/asio/detached.hpp> <boost/asio/io_context.hpp> <boost/asio/ip/tcp.hpp>
  <boost/asio/post.hpp> <boost/asio/redirect_error.hpp> <boost/asio/steady_timer.hpp> <boost/asio/this_coro.hpp>
  <boost/asio/use_awaitable.hpp>)
file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")

# souk_add_pch(souk_pch HEADERS <vector> ... DEPS souk_boost ...): souk_pch and souk_pch_unoptimized.
function(souk_add_pch name)
  cmake_parse_arguments(A "" "" "HEADERS;DEPS;OPTIONS" ${ARGN})
  foreach(each ${name} ${name}_unoptimized)
    add_library(${each} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/empty.cpp)
    target_link_libraries(${each} PRIVATE souk_flags fmt::fmt Boost::json protobuf::libprotobuf ${A_DEPS})
    target_compile_options(${each} PRIVATE ${A_OPTIONS})
    target_precompile_headers(${each} PRIVATE ${SOUK_DEAR_HEADERS} ${A_HEADERS})
  endforeach()
  target_compile_options(${name}_unoptimized PRIVATE -O0)
endfunction()
souk_add_pch(souk_core_pch)
souk_add_pch(souk_pch HEADERS ${SOUK_ASIO_HEADERS} DEPS souk_boost)

# Whoever includes Asio must link it. core/ has nothing to do with it.
function(souk_use_pch name pch)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(folder MATCHES "^core/")
    set(pch souk_core_pch)
  else()
    target_link_libraries(${name} PRIVATE souk_boost)
  endif()
  souk_keeps_optimization(${name} keeps)
  if(NOT keeps)
    set(pch ${pch}_unoptimized)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${pch})
endfunction()

# souk_add_library(souk_index SOURCES a.cpp b.cpp DEPS souk_base ...): one library per second-level folder.
# DEPS are PUBLIC; PRIVATE_DEPS keep a third-party library out of our headers.
function(souk_add_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_link_libraries(${name} PUBLIC souk_flags ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS})
  souk_optimize_less(${name})
  if(CMAKE_UNITY_BUILD)
    souk_use_pch(${name} souk_pch)
  endif()
endfunction()

# souk_add_program(souk-node SOURCES node_main.cpp DEPS ...)
function(souk_add_program name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS})
  souk_optimize_less(${name})
  if(CMAKE_UNITY_BUILD)
    souk_use_pch(${name} souk_pch)
  endif()
  if(SOUK_JEMALLOC)
    target_link_libraries(${name} PRIVATE PkgConfig::jemalloc)
  endif()
endfunction()

# souk_add_proto(souk_wire core/wire/shard.proto ...): included as "core/wire/shard.pb.h"; paths from the root.
function(souk_add_proto name)
  set(out ${CMAKE_BINARY_DIR}/proto)
  file(MAKE_DIRECTORY ${out})
  foreach(proto ${ARGN})
    string(REGEX REPLACE "\\.proto$" ".pb" stem ${proto})
    add_custom_command(OUTPUT ${out}/${stem}.h ${out}/${stem}.cc
      COMMAND protobuf::protoc --cpp_out=${out} -I ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${proto}
      DEPENDS ${PROJECT_SOURCE_DIR}/${proto} protobuf::protoc VERBATIM)
    list(APPEND sources ${out}/${stem}.cc)
  endforeach()
  add_library(${name} STATIC ${sources})
  if(SOUK_SANITIZER)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PUBLIC protobuf::libprotobuf)
  target_include_directories(${name} SYSTEM PUBLIC ${out})
endfunction()
