# Unity builds: several sources are compiled as one, because half of a clean build would otherwise be reading
# the same headers a thousand times. Every file still includes what it uses and compiles alone: -DSTATOR_UNITY=OFF
# (and clang-tidy) builds the files one by one.
option(STATOR_UNITY "Compile several sources at once" ON)

# stator_unite(target [BATCH n]): compiles the target's sources in batches.
function(stator_unite target)
  cmake_parse_arguments(arg "" "BATCH" "" ${ARGN})
  if(NOT STATOR_UNITY)
    return()
  endif()
  if(NOT arg_BATCH)
    set(arg_BATCH 10)
  endif()
  # To the compiler a united source is a header, whose types must not have parts of an unnamed namespace.
  # And it inlines less in a large source: its bounds are those of one of our files times the batch.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param large-unit-insns=100000>")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${arg_BATCH})
endfunction()

# What runs once and is long to optimise: command lines, tests.
set(STATOR_COMMAND_FLAGS $<$<CONFIG:Release>:-O0>)
