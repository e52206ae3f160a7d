# souk_add_library(souk_index SOURCES a.cpp b.cpp DEPS souk_base ...): one library per second-level folder.
# DEPS are PUBLIC; PRIVATE_DEPS keep a third-party library out of our headers.
function(souk_add_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_link_libraries(${name} PUBLIC souk_flags ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS})
endfunction()

# souk_add_program(souk-node SOURCES node_main.cpp DEPS ...)
function(souk_add_program name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE souk_flags ${A_DEPS})
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
  target_link_libraries(${name} PUBLIC protobuf::libprotobuf)
  target_include_directories(${name} SYSTEM PUBLIC ${out})
endfunction()
