# Unit tests stand beside the code (number.cc, number_test.cc); one program a layer runs them.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# Tests are compiled more often than they run: the code under test is optimised, they are not.
set(STATOR_TEST_FLAGS $<$<CONFIG:Release>:-O0>)
stator_precompiled(stator_precompiled_tests FLAGS ${STATOR_TEST_FLAGS} -fPIE
  HEADERS <gtest/gtest.h> <rapidcheck.h> LINK GTest::gtest rapidcheck)
stator_precompiled(stator_precompiled_engine_tests FLAGS ${STATOR_TEST_FLAGS} -fPIE
  HEADERS <gtest/gtest.h> <rapidcheck.h> [["engine/engine.h"]] [["stator/database.h"]] LINK GTest::gtest rapidcheck)
set_target_properties(stator_precompiled_tests stator_precompiled_engine_tests PROPERTIES
  POSITION_INDEPENDENT_CODE OFF)

# Adds a test program linked with the given layers: stator_add_test(name SOURCES … LAYERS …)
function(stator_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LAYERS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stator_flags GTest::gtest GTest::gtest_main rapidcheck)
  target_compile_options(${name} PRIVATE ${STATOR_TEST_FLAGS})
  stator_closure(layers ${arg_LAYERS})
  if(engine IN_LIST layers)
    stator_use_precompiled(${name} stator_precompiled_engine_tests)
  else()
    stator_use_precompiled(${name} stator_precompiled_tests)
  endif()
  stator_link_layers(${name} ${arg_LAYERS})
  target_compile_definitions(${name} PRIVATE STATOR_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)  # what takes seconds takes minutes with a sanitizer
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

function(stator_add_layer_tests)
  foreach(layer IN LISTS STATOR_LAYERS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${layer}/*_test.cc)
    if(sources)
      stator_add_test(${layer}_test SOURCES ${sources} LAYERS ${layer})
    endif()
  endforeach()
endfunction()
