#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// Where a frame stands in the one around it.
struct MjcfPose {
  Vec3d position = Vec3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  [[nodiscard]] Vec3d operator*(const Vec3d& point) const { return position + rotation * point; }
  [[nodiscard]] MjcfPose operator*(const MjcfPose& inner) const {
    return {*this * inner.position, rotation * inner.rotation};
  }
};

/// How a file says angles.
struct MjcfAngles {
  bool degrees = true;
  std::string sequence = "xyz";  // of Euler angles; capitals turn about axes that stay

  [[nodiscard]] double radians(double angle) const;
};

/// The attributes that say an orientation otherwise than by a quaternion.
inline constexpr const char* mjcf_orientations[] = {"axisangle", "xyaxes", "zaxis", "euler"};

/// The numbers of an attribute, or nothing where it is not there. Throws InputError at the element
/// unless they are numbers, `least` to `most` of them.
std::optional<std::vector<double>> mjcf_numbers(const XmlElement& element, const char* attribute,
                                                std::size_t least, std::size_t most);
std::optional<double> mjcf_number(const XmlElement& element, const char* attribute);
std::optional<Vec3d> mjcf_vector(const XmlElement& element, const char* attribute);
/// One of the words, or nothing. Throws InputError for another.
std::optional<std::string> mjcf_word(const XmlElement& element, const char* attribute,
                                     const std::vector<std::string>& words);
/// Whether the attribute says "true".
bool mjcf_flag(const XmlElement& element, const char* attribute, bool otherwise);

/// The orientation that an element says, whichever attribute says it.
Eigen::Quaterniond mjcf_rotation(const XmlElement& element, const MjcfAngles& angles);
/// The position and orientation that an element says.
MjcfPose mjcf_pose(const XmlElement& element, const MjcfAngles& angles);
/// The shortest turn of z to this direction, as MuJoCo takes it.
Eigen::Quaterniond mjcf_turn_of_z(const Vec3d& direction);
/// Of angles [rad] in the order of the file's sequence.
Eigen::Quaterniond mjcf_euler(const Vec3d& angles, const std::string& sequence);

}  // namespace counterpoise
