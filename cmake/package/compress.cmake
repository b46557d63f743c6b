# Before the package is closed: manual pages and the changelog are compressed, as Debian has them, and
# the licence is in the file copyright.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(GLOB pages ${share}/man/man1/*.1)
if(NOT pages)
  message(FATAL_ERROR "There are no manual pages in ${share}/man/man1.")
endif()
file(RENAME ${share}/doc/counterpoise/CHANGELOG.md ${share}/doc/counterpoise/changelog)
file(REMOVE ${share}/doc/counterpoise/LICENSE)
execute_process(COMMAND gzip -9 -n ${pages} ${share}/doc/counterpoise/changelog
                COMMAND_ERROR_IS_FATAL ANY)
