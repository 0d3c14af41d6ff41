# Precompiled headers: half of a clean build would be reading the same standard headers a thousand times.
# Every file still includes what it uses; the fuzzers and -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON build without.
set(STATOR_COMMON_HEADERS
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <cstddef> <cstdint> <cstdio> <cstdlib>
  <cstring> <deque> <expected> <filesystem> <functional> <limits> <map> <memory> <mutex> <optional> <set> <span> <string>
  <string_view> <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# What a layer's files have in common beyond that. Such a layer gets headers of its own; the others share one.
set(STATOR_HEADERS_engine [["engine/engine.h"]])
set(STATOR_HEADERS_api [["api/invalid_value.h"]] [["api/member_reader.h"]] [["api/operations.h"]])

# What reads a command line: CLI11 is long to compile and runs once.
set(STATOR_COMMAND_FLAGS $<$<CONFIG:Release>:-O0>)
set(STATOR_HEADERS_cli <CLI/CLI.hpp>)
set(STATOR_FLAGS_cli ${STATOR_COMMAND_FLAGS})

# stator_precompiled(name FLAGS … HEADERS … LINK …): headers for many targets with the same flags.
function(stator_precompiled name)
  cmake_parse_arguments(arg "" "" "FLAGS;HEADERS;LINK" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "// Carries precompiled headers.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE stator_flags fmt::fmt ${arg_LINK})
  target_compile_options(${name} PRIVATE ${arg_FLAGS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_precompile_headers(${name} PRIVATE ${STATOR_COMMON_HEADERS} ${arg_HEADERS})
endfunction()

# stator_use_precompiled(target name): those of stator_precompiled.
function(stator_use_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# stator_precompile_layer(name): headers and flags of a layer.
function(stator_precompile_layer name)
  target_compile_options(stator_${name} PRIVATE ${STATOR_FLAGS_${name}})
  if(STATOR_FUZZ)
    return()
  endif()
  if(STATOR_HEADERS_${name})
    target_precompile_headers(stator_${name} PRIVATE ${STATOR_COMMON_HEADERS} ${STATOR_HEADERS_${name}})
  else()
    stator_use_precompiled(stator_${name} stator_precompiled_layers)
  endif()
endfunction()

if(NOT STATOR_FUZZ)
  stator_precompiled(stator_precompiled_layers)
  stator_precompiled(stator_precompiled_systems HEADERS [["stator/entity.h"]])
  stator_precompiled(stator_precompiled_programs FLAGS ${STATOR_COMMAND_FLAGS} -fPIE
    HEADERS <CLI/CLI.hpp> [["stator/entity.h"]])
  set_target_properties(stator_precompiled_programs PROPERTIES POSITION_INDEPENDENT_CODE OFF)
endif()
