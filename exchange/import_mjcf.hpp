#pragma once

#include "exchange/imported_model.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// The model of an MJCF text, which is in a file and was parsed to `root`; `files` gives those that
/// it includes or attaches.
ImportedModel import_mjcf(const XmlElement& root, const std::filesystem::path& path,
                          const FileProvider& files, const ImportOptions& options);

}  // namespace counterpoise
