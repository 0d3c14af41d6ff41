# Unity builds: several sources are compiled as one, because half of a clean build would otherwise be reading
# the same headers a thousand times. Every file still includes what it uses and compiles alone: -DSTATOR_UNITY=OFF
# (and clang-tidy) builds the files one by one.
option(STATOR_UNITY "Compile several sources at once" ON)

# stator_unite(target): compiles the target's sources in as few batches of 20 as hold them, and these equally large: one
# that is left over reads all headers for two or three files, and one that is far larger than others is waited for.
function(stator_unite target)
  if(NOT STATOR_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(LENGTH sources count)
  math(EXPR batches "(${count} + 19) / 20")
  math(EXPR size "${count} / ${batches} + 1")  # with room for a source that is written later
  # To the compiler a united source is a header, whose types must not have parts of an unnamed namespace.
  # And it inlines less in a large source: its bounds are those of one of our files times the batch.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param large-unit-insns=200000>")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# What runs once and is long to optimise: command lines, tests.
set(STATOR_COMMAND_FLAGS $<$<CONFIG:Release>:-O0>)
