# The warnings every target of the project is built with.
set(project_warnings -Wall -Wextra -Wpedantic -Wshadow=local -Wnon-virtual-dtor -Wold-style-cast
                     -Woverloaded-virtual -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # false alarms of g++ 12 at -O3: inside its own AVX-512 intrinsics, reached through Eigen, and in
  # std::string's operator+
  list(APPEND project_warnings -Wno-maybe-uninitialized -Wno-restrict)
endif()
# of files that are compiled as one
list(APPEND project_warnings -Wno-subobject-linkage)
if(COUNTERPOISE_WERROR)
  list(APPEND project_warnings -Werror)
endif()
