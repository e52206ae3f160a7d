# With a sanitizer most of our code is built without optimisation: that takes a third to two thirds off the time of the
# builds. What loops over much data keeps -O1, with its tests, so that they stay short.
function(souk_keeps_optimization result)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(${result} OFF PARENT_SCOPE)
  if(NOT SOUK_SANITIZER OR
     folder MATCHES "^(core/(base|text|index|query|oracle|rank)|indexer/(input|feed|match)|tests/unit/core)(/|$)")
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

function(souk_optimize_less name)
  souk_keeps_optimization(keeps)
  if(NOT keeps)
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# souk_add_library(souk_index SOURCES a.cpp b.cpp DEPS souk_base ...): one library per second-level folder.
# DEPS are PUBLIC; PRIVATE_DEPS keep a third-party library out of our headers.
function(souk_add_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_link_libraries(${name} PUBLIC souk_flags ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS})
  souk_optimize_less(${name})
endfunction()

# souk_add_program(souk-node SOURCES node_main.cpp DEPS ...)
function(souk_add_program name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS})
  souk_optimize_less(${name})
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
  souk_optimize_less(${name})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PUBLIC protobuf::libprotobuf)
  target_include_directories(${name} SYSTEM PUBLIC ${out})
endfunction()
