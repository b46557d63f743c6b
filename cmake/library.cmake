# counterpoise_library(<name> <source>... [JOINED] [PRECOMPILED <header>...])
#
# The static library counterpoise_<name>, used and installed as counterpoise::<name>. Sources are
# relative to the caller's folder; headers are included from the root of the project. Two ways to
# build it faster: sources are compiled eight at a time (JOINED), and the headers of the standard
# library and those that are named are compiled once for all of them (PRECOMPILED).
set(precompiled_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map>
                        <memory> <optional> <span> <string> <variant> <vector>)

# Presets join more where their tools gain by it: clang-tidy, and the compilers of sanitizers.
function(counterpoise_join target)
  set(batch 8)
  if(CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(batch ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE ${joined_warnings})
endfunction()

function(counterpoise_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "JOINED" "" "PRECOMPILED")
  set(library counterpoise_${name})
  add_library(${library} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_library(counterpoise::${name} ALIAS ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_compile_options(${library} PRIVATE ${project_warnings})
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/counterpoise>)
  if(arg_JOINED)
    counterpoise_join(${library})
  endif()
  if(arg_PRECOMPILED)
    target_precompile_headers(${library} PRIVATE ${precompiled_headers} ${arg_PRECOMPILED})
  endif()
endfunction()
