#include <filesystem>

#include "cli/command.hpp"
#include "studies/io/input_error.hpp"

namespace counterpoise {

void require_other_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty()) return;
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(output, input, ignored))
      throw InputError({.file = output}, "is read by this command; name another output");
}

}  // namespace counterpoise
