# counterpoise_test(<name> SOURCES <file>... [LIBS <target>...] [LABELS <label>...]
#                   [DEFINITIONS <name=value>...] [TIMEOUT <seconds>])
#
# One Catch2 executable and one ctest test of the same name. Sources are relative to the caller's
# folder. The executable knows two folders: COUNTERPOISE_SOURCE_DIR, the source tree to read
# examples and golden files from, and COUNTERPOISE_TEST_DIR, its own empty folder to write into.
# Labels in use: slow (left out of the presets `fast`, `dev`, `tsan`) and threads (what `tsan` runs).
#
# The targets fast_tests and thread_tests build what those presets run.
find_package(Catch2 REQUIRED)
add_custom_target(fast_tests)
add_custom_target(thread_tests)

function(counterpoise_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBS;LABELS;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "counterpoise_test(${name}): SOURCES are missing, or these words are "
                        "not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1500)  # of a test that hangs; no test is as slow on any machine
  endif()
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/${name}.files)
  file(MAKE_DIRECTORY ${scratch})

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Catch2::Catch2WithMain fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${project_warnings})
  counterpoise_join(${name})
  target_precompile_headers(${name} REUSE_FROM test_support)
  target_compile_definitions(${name} PRIVATE COUNTERPOISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             COUNTERPOISE_TEST_DIR="${scratch}" ${arg_DEFINITIONS})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${scratch})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
  if(NOT slow IN_LIST arg_LABELS)
    add_dependencies(fast_tests ${name})
    if(threads IN_LIST arg_LABELS)
      add_dependencies(thread_tests ${name})
    endif()
  endif()
endfunction()
