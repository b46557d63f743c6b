#pragma once

#include <string_view>

namespace counterpoise {

/// The identity of this program, as far as the bits of its results may depend on it.
struct BuildInfo {
  std::string_view version;          // of the project: "0.1.0"
  std::string_view commit;           // its hash, with "-dirty" where files were changed since;
                                     // "unknown" outside git
  std::string_view compiler;         // "GNU 12.2.0"
  std::string_view flags;            // used for the whole program
  std::string_view instruction_set;  // "x86-64 sse3 ...": what the compiler could use
};

BuildInfo build_info();

}  // namespace counterpoise
