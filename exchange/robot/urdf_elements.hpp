#pragma once

#include <span>
#include <string>
#include <string_view>

#include "exchange/robot/robot_description.hpp"

namespace counterpoise {

// What stands in elements of URDF. All throw InputError at the element for what is missing or
// wrong.

/// An attribute, which is not empty.
const std::string& required(const XmlElement& element, std::string_view attribute);
/// A child; `why` is what is expected instead of its absence.
const XmlElement& required_child(const XmlElement& element, std::string_view child,
                                 std::string_view why);
/// The finite number in an attribute; the second gives another where there is no such attribute.
double number_of(const XmlElement& element, std::string_view attribute);
double number_of(const XmlElement& element, std::string_view attribute, double otherwise);
Vec3d vector_of(const XmlElement& element, std::string_view attribute, const Vec3d& otherwise);
/// Its xyz and rpy, 0 where there are none.
RobotPose pose_in(const XmlElement& element);
/// The pose in its <origin>.
RobotPose origin_of(const XmlElement& owner);
/// Children of these names may stand there only once.
void check_once(const XmlElement& owner, std::span<const std::string_view> parts);

}  // namespace counterpoise
