# The package for every processor of the family has its code once for each of COUNTERPOISE_VARIANTS,
# in shared libraries, and the program and the Python module load those for the processor that they run
# on (cli/variants). This build makes the variants for COUNTERPOISE_ARCHITECTURE. Types differ in
# size between variants, so that nothing but calls of C functions may be between them.
if(NOT COUNTERPOISE_ARCHITECTURE IN_LIST COUNTERPOISE_VARIANTS)
  message(FATAL_ERROR "COUNTERPOISE_ARCHITECTURE: found \"${COUNTERPOISE_ARCHITECTURE}\", expected "
                      "one of COUNTERPOISE_VARIANTS: ${COUNTERPOISE_VARIANTS}")
endif()
include(GNUInstallDirs)
set(variants_dir ${CMAKE_INSTALL_LIBDIR}/counterpoise)
add_link_options(-Wl,-z,relro,-z,now)
add_custom_target(variant)

# counterpoise_variant_library(<target>): a library of this variant, which shows the one function that
# is called. In the build it lies where it is installed, so that the program runs there too.
function(counterpoise_variant_library target)
  set(exported ${PROJECT_SOURCE_DIR}/cli/variants/exported.map)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exported})
  target_link_options(${target} PRIVATE -Wl,--version-script=${exported})
  set(folder ${variants_dir}/${COUNTERPOISE_ARCHITECTURE})
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  install(TARGETS ${target} LIBRARY DESTINATION ${folder} COMPONENT variant)
  add_dependencies(variant ${target})
endfunction()

# counterpoise_chooses(<target> <folder>): a target that is installed in the folder and loads a variant
function(counterpoise_chooses target folder)
  file(RELATIVE_PATH to_variants /${folder} /${variants_dir})
  target_compile_definitions(${target} PRIVATE COUNTERPOISE_VARIANTS_FOLDER="${to_variants}")
  target_compile_options(${target} PRIVATE ${project_warnings} -march=x86-64)
  target_link_libraries(${target} PRIVATE counterpoise_chosen)
endfunction()
