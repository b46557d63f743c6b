# Installs the build into an empty folder, then configures, builds and runs a project that finds
# Counterpoise there, asks the installed program for its version, and looks for its man pages and
# completions.
set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)

run(${prefix}/bin/counterpoise --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "counterpoise --version does not say ${VERSION}: ${output}")
endif()
run(${prefix}/bin/counterpoise check
    ${prefix}/share/counterpoise/examples/two_link_arm/study.json)

foreach(file IN ITEMS man/man1/counterpoise.1 man/man1/counterpoise-run.1
        bash-completion/completions/counterpoise.bash zsh/site-functions/_counterpoise)
  if(NOT EXISTS ${prefix}/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
