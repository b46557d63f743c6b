# Man pages and completions for bash and zsh, written from what the built program says to --help.
# They are not part of a build without Python, or of the program alone, and then not installed.
set(COUNTERPOISE_HELP_PROGRAM "" CACHE FILEPATH
    "Program to ask for its help, if the one that is built cannot run here (empty: that one)")
find_package(Python3 3.9 COMPONENTS Interpreter)

if(Python3_Interpreter_FOUND AND (COUNTERPOISE_HELP_PROGRAM OR NOT CMAKE_CROSSCOMPILING))
  if(COUNTERPOISE_HELP_PROGRAM)
    set(help_program ${COUNTERPOISE_HELP_PROGRAM})
    set(help_depends ${help_program})
  else()
    set(help_program $<TARGET_FILE:counterpoise>)
    set(help_depends ${help_program})
    if(COUNTERPOISE_VARIANTS)  # only one of them is built here
      set(help_environment ${CMAKE_COMMAND} -E env COUNTERPOISE_ISA=${COUNTERPOISE_ARCHITECTURE})
      list(APPEND help_depends $<TARGET_FILE:counterpoise_variant>)
    endif()
  endif()
  set(manual_dir ${PROJECT_BINARY_DIR}/manual)
  set(manual_sources __main__.py completions.py help_text.py man_pages.py)
  list(TRANSFORM manual_sources PREPEND ${PROJECT_SOURCE_DIR}/cmake/manual/)

  # A page whose command is gone must not be installed, so the folder is written anew.
  add_custom_command(OUTPUT ${manual_dir}/counterpoise.1
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual_dir}
    COMMAND ${help_environment} ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/manual
            ${help_program} ${manual_dir} ${COUNTERPOISE_VARIANTS}
    DEPENDS ${help_depends} ${manual_sources}
    COMMENT "Writing man pages and completions"
    VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual_dir}/counterpoise.1)

  install(DIRECTORY ${manual_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL
          FILES_MATCHING PATTERN "*.1")
  install(FILES ${manual_dir}/counterpoise.bash OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual_dir}/_counterpoise OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
