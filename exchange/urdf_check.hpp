#pragma once

#include "exchange/imported_model.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// Throws InputError with all mistakes of a URDF text, each at its place: what is missing, named
/// twice or not there, numbers that are none, joints that do not make one tree.
void check_urdf(const XmlElement& robot);

/// The model of a URDF text, which is in a file and was parsed to `root`.
ImportedModel import_urdf(const XmlElement& root, const std::filesystem::path& path,
                          const ImportOptions& options);

/// The number of a text, or NaN if it is no finite number.
double xml_number(std::string_view text);

}  // namespace counterpoise
