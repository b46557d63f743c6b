#pragma once

#include <array>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <utility>

#include "engine/math/vector.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// The shortest text that reads back as these numbers, with blanks between them.
std::string numbers_text(std::span<const double> numbers);
std::string vector_text(const Vec3d& v);

/// The six moments of an inertia by the names that URDF and SDF give them.
std::array<std::pair<const char*, double>, 6> named_moments(const Mat3d& inertia);

/// Roll, pitch and yaw of a rotation, R = Rz(yaw) Ry(pitch) Rx(roll) [rad].
Vec3d rpy_of(const Mat3d& rotation);

/// Adds an attribute with this text, whose control characters XML does not hold: they are written
/// as \n or \x01.
void give(pugi::xml_node element, const char* attribute, const std::string& text);
void give(pugi::xml_node element, const char* attribute, double number);

/// The document as text.
std::string xml_text(const pugi::xml_document& document);
/// An element as a text of its own, which reads the same everywhere: without comments, processing
/// instructions or line ends in attributes.
std::string xml_text(const XmlElement& element);

}  // namespace counterpoise
