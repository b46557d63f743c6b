#pragma once

#include <string>

namespace counterpoise {

/// A function of a shared library that is installed once for each set of instructions.
struct VariantFunction {
  void* address;
  std::string variant;  // "x86-64-v4"
};

/// Loads the variant of a library that the environment variable COUNTERPOISE_ISA names or, if that
/// is unset or empty, the widest that this processor runs. `folder` is where the variants' folders
/// are, seen from that of the program or module which calls this, `library` a file that each has,
/// and `function` a C function that it exports.
///
/// Throws std::invalid_argument if the variable names no variant, or one that this processor does
/// not run, and std::runtime_error if there is none for the processor, or it cannot be loaded.
VariantFunction load_variant(const std::string& folder, const std::string& library,
                             const char* function);

}  // namespace counterpoise
