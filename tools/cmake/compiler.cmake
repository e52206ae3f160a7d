if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "souk needs clang 19: g++ 12 miscompiles coroutines. Use 'cmake --preset dev'.")
endif()
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(SOUK_SANITIZER "" CACHE STRING "address,undefined or thread")
# With CMAKE_UNITY_BUILD a target's files are compiled as one, which takes more than half off the time of a whole build:
# nearly all of it goes into headers. So a file's own names (namespace {}) must be no other's in its folder.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
option(SOUK_JEMALLOC "link jemalloc into servers" OFF)
add_link_options(-fuse-ld=lld)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_compile_options(-march=x86-64-v2) # what the engine's scalar kernels need anyway (POPCNT): any CPU since 2009
endif()
add_compile_options("SHELL:-Xclang -fno-pch-timestamp") # else ccache never hits a file that uses a PCH

# Programs lie directly in the build folder: build/release/souk-indexer, ...
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# Our own code only, not generated code.
add_library(souk_flags INTERFACE)
target_compile_options(souk_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wsuggest-override -Werror
  $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-shadow>) # of another file's names
target_include_directories(souk_flags INTERFACE ${PROJECT_SOURCE_DIR})

if(SOUK_SANITIZER)
  add_compile_options(-fsanitize=${SOUK_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${SOUK_SANITIZER})
endif()
