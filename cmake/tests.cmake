# Unit tests stand beside the code (number.cc, number_test.cc); one program per layer runs them.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# Tests are compiled more often than they run: the code under test is optimised, they are not.
set(STATOR_TEST_FLAGS $<$<CONFIG:Release>:-O0>)

# Adds a test program linked with the given layers: stator_add_test(name SOURCES … LAYERS …)
function(stator_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LAYERS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stator_flags GTest::gtest GTest::gtest_main rapidcheck)
  target_compile_options(${name} PRIVATE ${STATOR_TEST_FLAGS})
  stator_unite(${name})
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
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${STATOR_WING_${layer}}/${layer}/*_test.cc)
    if(sources)
      stator_add_test(${layer}_test SOURCES ${sources} LAYERS ${layer})
      target_link_libraries(${layer}_test PRIVATE ${STATOR_TEST_LINK_${layer}})
    endif()
  endforeach()
endfunction()

# A thousand damages of a data directory have a run, and a time, of their own.
function(stator_add_damage_test)
  set_tests_properties(storage_test PROPERTIES ENVIRONMENT "GTEST_FILTER=-Damage.*")
  add_test(NAME damage COMMAND storage_test --gtest_filter=Damage.*)
  set_tests_properties(damage PROPERTIES TIMEOUT 300)
endfunction()

# stator_add_postgres_test(name TIMEOUT seconds COMMAND …): runs the command with a PostgreSQL of its own, whose address is in
# STATOR_TEST_POSTGRES.
function(stator_add_postgres_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${STATOR_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/cluster/postgres.py run --unsynced -- ${arg_COMMAND}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()
