#pragma once

#include <filesystem>
#include <vector>

#include "exchange/xml_document.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// The file with its <include> elements replaced by the files they name. Elements keep the places
/// that they have in their own files. `path` is the file's own; the others are added to `read`.
/// Throws InputError for a file that is not there or is included twice.
XmlElement with_mjcf_includes(XmlElement root, const std::filesystem::path& path,
                              const FileProvider& files, std::vector<std::filesystem::path>& read);

}  // namespace counterpoise
