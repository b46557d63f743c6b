#pragma once

#include <pugixml.hpp>
#include <span>
#include <string>

#include "engine/math/vector.hpp"

namespace counterpoise {

/// The shortest text that reads back as these numbers, with blanks between them.
std::string numbers_text(std::span<const double> numbers);
std::string vector_text(const Vec3d& v);

/// Adds an attribute with this text.
void give(pugi::xml_node element, const char* attribute, const std::string& text);
void give(pugi::xml_node element, const char* attribute, double number);

/// The document as text.
std::string xml_text(const pugi::xml_document& document);

}  // namespace counterpoise
