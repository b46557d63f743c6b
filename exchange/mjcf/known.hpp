#pragma once

#include <map>
#include <string>

#include "exchange/xml_document.hpp"

namespace counterpoise {

/// How often each attribute was found that is newer than MuJoCo 2.2 and changes no load; by the
/// element's and the attribute's name.
using NewMjcfAttributes = std::map<std::string, int>;

/// Throws InputError, with all mistakes, for elements and attributes of an MJCF file that MuJoCo
/// does not have, in the sections about moving parts and their drives.
NewMjcfAttributes check_known_mjcf(const XmlElement& root);

}  // namespace counterpoise
