#pragma once

#include <string>
#include <vector>

namespace counterpoise {

/// Numbers as pages carry them: little-endian IEEE numbers one behind the other, in base64. Four
/// bytes a number hold seven digits, enough for drawings and plots.
std::string float32_column(const std::vector<double>& numbers);
std::string float64_column(const std::vector<double>& numbers);
std::string int32_column(const std::vector<int>& numbers);

}  // namespace counterpoise
