# The compiler's cache where there is one, and the processor to build for.
find_program(CCACHE ccache)
if(PROJECT_IS_TOP_LEVEL AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

if(COUNTERPOISE_ARCHITECTURE)
  add_compile_options(-march=${COUNTERPOISE_ARCHITECTURE})
endif()

# Products and sums may be one operation where the processor has it, in every build: a bit of the
# results depends on it.
add_compile_options(-ffp-contract=fast)

# g++ 12 moves a constant of 32 bytes or more to the stack wrongly where registers have 512 bits: it
# drops the upper part of {1, 1, 0, 0} if that is zero, and repeats the lower (GCC bug, seen with
# -march=x86-64-v4 in arguments passed by value). It does not where it moves 16 bytes at a time.
# clang, which reads the command lines of the preset tidy, does not know these words.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT COUNTERPOISE_READ_BY_CLANG)
  set(COUNTERPOISE_NARROW_MOVES ON)
  add_compile_options(-mmove-max=128 -mstore-max=128)
endif()

# clang keeps its sanitizers' libraries in a folder of its own.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir
                  OUTPUT_VARIABLE clang_resources OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND CMAKE_BUILD_RPATH ${clang_resources}/lib/linux)
  # Their instructions are selected one by one, which takes a fifth less time than for fast code.
  if(CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize" AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_options("SHELL:-mllvm -fast-isel")
  endif()
endif()

# What the address sanitizer checks and runs little, tests among it, takes longer to compile than to
# run: without optimisation half the time. In the release, -O2 compiles what runs little faster than
# -O3. scripts/fuzz looks for code that runs fast, and the thread sanitizer then takes TBB's copies of
# tasks, whose hand-over it does not see, for races.
set(little_run_options "")
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize=address"
   AND NOT CMAKE_CXX_FLAGS_DEBUG MATCHES "fuzzer")
  set(little_run_options -O0)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(little_run_options -O2)
endif()

# g++ inlines small functions into a large source only until it has grown by some percent. Joined
# sources are large, and would be slower than the same sources apart.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT COUNTERPOISE_READ_BY_CLANG)
  add_compile_options(--param=large-unit-insns=1000000)
endif()

# g++ then collects its garbage less often, which takes a tenth of its time. Its output is the same.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=524288)  # kB
endif()
