# Builds and runs the project beside this file against an installed Stator.
#
#   cmake -DPREFIX=… -DWORK_DIR=… [-DCXX_FLAGS=…] -P find_package_test.cmake
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
foreach(step IN ITEMS configure build run)
  set(configure ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build
    -DCMAKE_PREFIX_PATH=${PREFIX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
  set(build ${CMAKE_COMMAND} --build ${WORK_DIR}/build)
  set(run ${WORK_DIR}/build/embedded ${WORK_DIR}/data)
  execute_process(COMMAND ${${step}} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
