#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "exchange/shapes/triangle_mesh.hpp"

namespace counterpoise {

/// What a process that reads a mesh of so many bytes may need.
struct ReadingLimits {
  std::uintmax_t memory = 0;  // bytes more than the program has already
  unsigned seconds = 0;       // of a processor
};
ReadingLimits limits_of_mesh(std::uintmax_t bytes);

/// The mesh that `read` returns, or the InputError that it throws, from a process of its own: a
/// file that breaks a reader, or makes it ask for more than the limits, is then refused at `where`
/// as any other. `file` is for messages.
TriangleMesh read_apart(const std::function<TriangleMesh()>& read, const ReadingLimits& limits,
                        const std::filesystem::path& file, const Location& where);

}  // namespace counterpoise
