# The source that says what program this is: its commit is looked up before every build, and the file
# is written, and compiled, only where it has become another.
#
# build_info_source(<target>) adds it to a target; as a script it writes OUTPUT from INPUT.
if(CMAKE_SCRIPT_MODE_FILE)
  set(COMMIT unknown)
  if(GIT)
    # not that of a repository around an unpacked archive
    execute_process(COMMAND ${GIT} -c safe.directory=* -C ${SOURCE} rev-parse --show-toplevel
                    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH ${SOURCE} source)
    if(top STREQUAL source)
      execute_process(COMMAND ${GIT} -c safe.directory=* -C ${SOURCE}
                              describe --always --dirty --abbrev=40 --exclude=*
                      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(commit)
      set(COMMIT ${commit})
    endif()
  endif()
  configure_file(${INPUT} ${OUTPUT} @ONLY)
  return()
endif()

find_package(Git QUIET)
set(build_info_script ${CMAKE_CURRENT_LIST_FILE})

function(build_info_source target)
  get_directory_property(options COMPILE_OPTIONS)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  list(JOIN options " " options)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}} ${options}" flags)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp)
  add_custom_target(${target}_build_info
    COMMAND ${CMAKE_COMMAND} -D GIT=${GIT_EXECUTABLE} -D SOURCE=${PROJECT_SOURCE_DIR}
            -D VERSION=${PROJECT_VERSION}
            -D "COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            -D "FLAGS=${flags}"
            -D INPUT=${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in -D OUTPUT=${source}
            -P ${build_info_script}
    BYPRODUCTS ${source}
    COMMENT "Looking up the commit"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
  add_dependencies(${target} ${target}_build_info)
endfunction()
