# Packages from Debian 12; scripts/packages/program lists their names.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)

# SLEEF's functions of whole vectors.
find_package(PkgConfig REQUIRED)
pkg_check_modules(sleef REQUIRED IMPORTED_TARGET sleef)

# Hashes of the texts kept with results.
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash>=0.8)

# NLopt's C++ interface is one header over the C library.
find_package(NLopt REQUIRED)
find_file(NLOPT_HPP nlopt.hpp REQUIRED)
add_library(counterpoise_nlopt INTERFACE)
target_link_libraries(counterpoise_nlopt INTERFACE NLopt::nlopt)
