# Every test belongs to the build that shows most about it, and is compiled and run only there:
#
#   memory    C++ tests, and scripts about readers and damaged files: preset dev, whose sanitizers
#             watch every access
#   program   all other scripts, and C++ tests of what depends on how the compiler optimised (lanes,
#             widths, same bits, allocations): preset program
#   threads   C++ tests with several threads: preset tsan
#
# COUNTERPOISE_TESTS names the kind of the build; with `all` every test is registered in it. The target
# tests_of_this_build builds what the registered tests need.
find_package(Catch2 REQUIRED)
set(kinds_here ${COUNTERPOISE_TESTS})
if(COUNTERPOISE_TESTS STREQUAL "all")
  set(kinds_here memory program threads)
elseif(NOT COUNTERPOISE_TESTS MATCHES "^(memory|program|threads)$")
  message(FATAL_ERROR "COUNTERPOISE_TESTS: found ${COUNTERPOISE_TESTS}, expected all, memory, "
                      "program, threads or OFF")
endif()
add_custom_target(tests_of_this_build)

# counterpoise_add_test(<name> COMMAND <word>... DIRECTORY <folder> [COST <seconds>]
#                       [LABELS <label>...] [ENVIRONMENT <name=value>...])
#
# A ctest test, with the sanitizers' options of this build unless ENVIRONMENT has others. Tests begin in
# the order of COST, about the seconds that they take.
function(counterpoise_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY;COST" "COMMAND;LABELS;ENVIRONMENT")
  if(NOT arg_COST)
    set(arg_COST 1)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${arg_DIRECTORY})
  set(environment ${sanitizer_environment} ${arg_ENVIRONMENT})
  set_tests_properties(${name} PROPERTIES
    COST ${arg_COST} LABELS "${arg_LABELS}" ENVIRONMENT "${environment}")
endfunction()

# counterpoise_test(<name> SOURCES <file>... [LIBS <target>...] [KIND program] [ALSO program|threads]
#                   [ENVIRONMENT <name=value>...] [COST <seconds>] [RUNS_LONG])
#
# One Catch2 executable and one ctest test, of the kind memory unless KIND says otherwise. In builds of
# the kinds that ALSO names there is a test <name>.program or <name>.threads too. Sources
# are relative to the caller's folder. The executable knows two folders: COUNTERPOISE_SOURCE_DIR, the
# source tree to read examples and golden files from, and COUNTERPOISE_TEST_DIR, its own empty folder
# to write into. In builds of other kinds it can be built by its name. A test that computes
# much in its own code RUNS_LONG: it is optimised where others are not (see compiler.cmake).
function(counterpoise_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNS_LONG" "COST;KIND" "SOURCES;LIBS;ALSO;ENVIRONMENT")
  if(NOT arg_KIND)
    set(arg_KIND memory)
  endif()
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "counterpoise_test(${name}): SOURCES are missing, or these words are "
                        "not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/${name}.files)
  file(MAKE_DIRECTORY ${scratch})

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Catch2::Catch2WithMain fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${project_warnings})
  counterpoise_join(${name})
  if(NOT arg_RUNS_LONG OR NOT little_run_options)
    target_compile_options(${name} PRIVATE ${little_run_options})
    target_precompile_headers(${name} REUSE_FROM test_precompiled)
  endif()
  target_compile_definitions(${name} PRIVATE COUNTERPOISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             COUNTERPOISE_TEST_DIR="${scratch}")
  foreach(kind IN ITEMS ${arg_KIND} ${arg_ALSO})
    if(kind IN_LIST kinds_here)
      set(test ${name}.${kind})
      if(kind STREQUAL arg_KIND)
        set(test ${name})
      endif()
      add_dependencies(tests_of_this_build ${name})
      counterpoise_add_test(${test} COMMAND ${name} DIRECTORY ${scratch} COST ${arg_COST}
                            ENVIRONMENT ${arg_ENVIRONMENT})
      break()
    endif()
  endforeach()
endfunction()

# counterpoise_script(<name> <file> [KIND memory] [ARGUMENTS <word>...] [ENVIRONMENT <name=value>...]
#                     [COST <seconds>] [LABELS <label>...])
#
# A Python script as a ctest test, of the kind program unless KIND says otherwise. It runs in the
# caller's binary folder, and the program's path is in its environment.
function(counterpoise_script name file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "KIND;COST" "ARGUMENTS;LABELS;ENVIRONMENT")
  if(NOT arg_KIND)
    set(arg_KIND program)
  endif()
  if(arg_KIND IN_LIST kinds_here)
    counterpoise_add_test(${name}
      COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${arg_ARGUMENTS}
      DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} COST ${arg_COST}
      LABELS ${arg_LABELS} ENVIRONMENT ${program_environment} ${arg_ENVIRONMENT})
  endif()
endfunction()
