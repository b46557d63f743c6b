# The warnings every target of the project is built with.
set(project_warnings -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                     -Woverloaded-virtual -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # false alarms of g++ 12 at -O3: inside its own AVX-512 intrinsics, reached through Eigen, and in
  # std::string's operator+
  list(APPEND project_warnings -Wno-maybe-uninitialized -Wno-restrict)
  # and inside std::string, where its header is precompiled
  set(precompiled_warnings -Wno-array-bounds -Wno-stringop-overflow)
endif()
# several files compiled as one see each other's local names
set(joined_warnings -Wno-shadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND joined_warnings -Wshadow=local -Wno-subobject-linkage)
endif()
if(CMAKE_UNITY_BUILD)
  list(APPEND project_warnings ${joined_warnings})
endif()
if(COUNTERPOISE_WERROR)
  list(APPEND project_warnings -Werror)
endif()
