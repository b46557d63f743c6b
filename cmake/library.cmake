# counterpoise_library(<name> [RUNS_LITTLE] <source>... [PRECOMPILED <header>...])
#
# The static library counterpoise_<name>, used and installed as counterpoise::<name>. Sources are
# relative to the caller's folder; headers are included from the root of the project. Sources are
# compiled several at a time. Headers that most libraries include are compiled once for all of them;
# a library with compiler options of its own, which cannot share these, names its own in
# PRECOMPILED; they and the standard headers are then compiled for it alone. Code that RUNS_LITTLE is
# optimised less (see compiler.cmake).
set(precompiled_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map>
                        <memory> <optional> <span> <string> <variant> <vector>)
file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp.new "")
file(COPY_FILE ${PROJECT_BINARY_DIR}/precompiled.cpp.new ${PROJECT_BINARY_DIR}/precompiled.cpp
     ONLY_IF_DIFFERENT)
function(counterpoise_precompiled_headers name)
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
  target_compile_options(${name} PRIVATE ${project_warnings} ${joined_warnings} ${ARGN})
  target_precompile_headers(${name} PRIVATE
    ${precompiled_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp>)
endfunction()
counterpoise_precompiled_headers(counterpoise_precompiled)
if(little_run_options)
  counterpoise_precompiled_headers(counterpoise_precompiled_little_run ${little_run_options})
endif()

# counterpoise_precompile(<target> [RUNS_LITTLE])
function(counterpoise_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNS_LITTLE" "" "")
  set(headers counterpoise_precompiled)
  if(arg_RUNS_LITTLE AND little_run_options)
    set(headers counterpoise_precompiled_little_run)
    target_compile_options(${target} PRIVATE ${little_run_options})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  target_compile_options(${target} PRIVATE ${precompiled_warnings})
endfunction()

# Two dozen sources at a time, as half of the time goes into templates of headers that they share.
# The preset tidy joins more.
function(counterpoise_join target)
  set(batch 24)
  if(CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(batch ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE ${joined_warnings})
endfunction()

function(counterpoise_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNS_LITTLE" "" "PRECOMPILED")
  set(library counterpoise_${name})
  add_library(${library} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_library(counterpoise::${name} ALIAS ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_compile_options(${library} PRIVATE ${project_warnings})
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/counterpoise>)
  counterpoise_join(${library})
  if(arg_PRECOMPILED)
    target_precompile_headers(${library} PRIVATE ${precompiled_headers} ${arg_PRECOMPILED})
  elseif(arg_RUNS_LITTLE)
    counterpoise_precompile(${library} RUNS_LITTLE)
  else()
    counterpoise_precompile(${library})
  endif()
  # A function of a header that several objects hold is the program's from the first of them on the
  # linker's command line, which begins with the objects of the program. Where these are not optimised
  # at all, what is comes before them, or Eigen's decompositions would take four times as long in it.
  if(NOT arg_RUNS_LITTLE AND "-O0" IN_LIST little_run_options)
    target_link_options(${library} INTERFACE
      "$<BUILD_INTERFACE:LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive>")
  endif()
endfunction()
