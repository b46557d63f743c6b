# The Debian package of all variants, which scripts/package makes from the build of the first one: its
# program, libraries, Python package and texts, and the shared libraries of the other builds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME counterpoise)
set(CPACK_PACKAGE_VENDOR "The Counterpoise developers")
# Who makes the package, as Debian's tools are told. The domain invalid has no machines.
set(packager "The Counterpoise developers")
if(DEFINED ENV{DEBFULLNAME})
  set(packager $ENV{DEBFULLNAME})
endif()
set(packager_address developers@counterpoise.invalid)
if(DEFINED ENV{DEBEMAIL})
  set(packager_address $ENV{DEBEMAIL})
endif()
set(CPACK_PACKAGE_CONTACT "${packager} <${packager_address}>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "static balancing of robot mechanisms by springs")
set(CPACK_PACKAGE_DESCRIPTION
"Counterpoise finds the springs that carry a mechanism, so that its motors
need not. A robot arm, an exoskeleton, a lid or a platform, its motion and
what may vary are described in JSON files; the result is a ranking of
thousands to millions of designs by the loads of their actuators and, for
springs sized exactly, a proof that no others do better.
.
The package has the program, a Python package of the same functions, and
static libraries and headers for CMake projects.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The extension is for this version of Python alone.
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
set(python3 "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor})")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${python3}, python3-numpy")
# What CMake projects need of Debian is said where they look for it.
file(STRINGS cmake/counterpoise-config.cmake.in development REGEX "^counterpoise_needs(_module|_header)?\\(")
list(TRANSFORM development REPLACE "^[a-z_]+\\(([^ ]+) .*" "\\1")
list(JOIN development ", " development)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "python3-matplotlib, python3-pandas, python3-tqdm, cmake, g++, ${development}")

# Texts that Debian asks for, written at every build: their date is the commit's. They need the
# licences of what is bundled into the pages.
if(NOT COUNTERPOISE_PAGES)
  message(FATAL_ERROR "A package needs the pages of view and report, which this build lacks.")
endif()
set(texts_dir ${PROJECT_BINARY_DIR}/package)
set(texts_script ${CMAKE_CURRENT_LIST_DIR}/texts.py)
add_custom_target(package_texts ALL
  COMMAND ${Python3_EXECUTABLE} -B ${texts_script} ${PROJECT_SOURCE_DIR} ${texts_dir}
          ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE} ${CPACK_PACKAGE_CONTACT}
  COMMENT "Writing the texts of the package"
  VERBATIM)
install(FILES ${texts_dir}/copyright ${texts_dir}/changelog.Debian.gz
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What the package does once it is installed, and before it is removed.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/postinst
                                       ${CMAKE_CURRENT_LIST_DIR}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress.cmake)

set(CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR} counterpoise ALL /)
foreach(variant IN LISTS COUNTERPOISE_VARIANTS)
  if(NOT variant STREQUAL COUNTERPOISE_ARCHITECTURE)
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR}/../${variant} counterpoise variant /)
  endif()
endforeach()
include(CPack)
