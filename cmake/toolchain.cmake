# Compiler flags, linker and compiler cache.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT STATOR_FUZZ)
  add_link_options(-fuse-ld=mold)
endif()

add_library(stator_flags INTERFACE)
target_compile_options(stator_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # Nobody replaces a function of ours at run time, so the compiler may inline across sources that it sees together.
  -fno-semantic-interposition -fvisibility=hidden)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these in its own headers at -O2.
  target_compile_options(stator_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-missing-field-initializers
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  # It looks for garbage from 128 MB on, for up to a tenth of its time. A compilation stays below 1 GB.
  target_compile_options(stator_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
else()
  # Deprecated: g++ 12's std::stable_sort uses what its own headers call deprecated.
  # -Wshadow of clang also looks into the unnamed namespaces of neighbours that are compiled together; g++ checks ours.
  target_compile_options(stator_flags INTERFACE -Wno-missing-designated-field-initializers -Wno-missing-field-initializers
    -Wno-deprecated-declarations -Wno-shadow)
endif()
if(STATOR_SANITIZE)
  add_compile_options(-fsanitize=${STATOR_SANITIZE} -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${STATOR_SANITIZE})
endif()
