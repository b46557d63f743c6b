# cmake --install: the program, and libraries for find_package(counterpoise). Headers keep their
# folders, so that #include "engine/mechanism/mechanism.hpp" means the same everywhere.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/counterpoise)
set(data_dir ${CMAKE_INSTALL_DATADIR}/counterpoise)

foreach(folder IN ITEMS schemas drives engine optimizer results text expressions input cases springs studies)
  if(TARGET counterpoise::${folder})
    get_target_property(library counterpoise::${folder} ALIASED_TARGET)
    set_target_properties(${library} PROPERTIES EXPORT_NAME ${folder}
                                                OUTPUT_NAME counterpoise_${folder})
    target_compile_features(${library} INTERFACE cxx_std_20)
    install(TARGETS ${library} EXPORT counterpoise)
  endif()
endforeach()
install(TARGETS counterpoise_nlopt EXPORT counterpoise)

# The width of Pack follows the processor: whoever uses the engine is built for the same one.
if(COUNTERPOISE_ARCHITECTURE)
  get_target_property(engine counterpoise::engine ALIASED_TARGET)
  target_compile_options(${engine} INTERFACE -march=${COUNTERPOISE_ARCHITECTURE})
endif()

set_target_properties(counterpoise PROPERTIES
                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
install(TARGETS counterpoise)

# The headers of the libraries above.
install(DIRECTORY drives engine optimizer results input cases springs studies schemas
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/counterpoise
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY schemas/ DESTINATION ${data_dir}/schemas FILES_MATCHING PATTERN "*.json")
install(DIRECTORY examples DESTINATION ${data_dir}
        PATTERN "*.db*" EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN .ipynb_checkpoints EXCLUDE)
install(FILES LICENSE docs/project/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/counterpoise-config.cmake.in
                              ${PROJECT_BINARY_DIR}/counterpoise-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/counterpoise-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/counterpoise-config.cmake
              ${PROJECT_BINARY_DIR}/counterpoise-config-version.cmake
        DESTINATION ${package_dir})
install(EXPORT counterpoise NAMESPACE counterpoise:: FILE counterpoise-targets.cmake
        DESTINATION ${package_dir})
