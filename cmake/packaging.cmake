# Installs the program, the library and its headers; find_package(stator) then gives stator::stator.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET stator_program)
  install(TARGETS stator_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

if(TARGET stator)
  target_compile_features(stator PUBLIC cxx_std_23)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stator)
  install(TARGETS stator EXPORT statorTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/stator DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT statorTargets NAMESPACE stator:: DESTINATION ${package_dir})
  configure_package_config_file(
    ${CMAKE_SOURCE_DIR}/cmake/statorConfig.cmake.in ${CMAKE_BINARY_DIR}/statorConfig.cmake
    INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(
    ${CMAKE_BINARY_DIR}/statorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(
    FILES ${CMAKE_BINARY_DIR}/statorConfig.cmake ${CMAKE_BINARY_DIR}/statorConfigVersion.cmake
    DESTINATION ${package_dir})
endif()
