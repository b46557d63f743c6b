#include "exchange/mjcf/pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

constexpr std::string_view mjcf_blanks = " \t\r\n";

/// The number of a word, or nothing.
std::optional<double> number_of_word(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double number = 0.0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string count_text(std::size_t least, std::size_t most) {
  if (most > 1000) return "numbers";
  if (least == most) return most == 1 ? "one number" : fmt::format("{} numbers", most);
  return fmt::format("{} to {} numbers", least, most);
}

Eigen::Quaterniond turned_about(double angle, const Vec3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
}

/// The direction, which has to have a length.
Vec3d mjcf_direction(const XmlElement& element, const char* attribute, const Vec3d& direction) {
  if (direction.norm() < 1e-14)
    throw InputError(element.where,
                     fmt::format("found {} of length 0, expected a direction", attribute));
  return direction.normalized();
}

}  // namespace

double MjcfAngles::radians(double angle) const {
  return degrees ? angle / 180.0 * std::numbers::pi : angle;
}

std::optional<std::vector<double>> mjcf_numbers(const XmlElement& element, const char* attribute,
                                                std::size_t least, std::size_t most) {
  const std::string* text = element.attribute(attribute);
  if (text == nullptr) return std::nullopt;
  std::vector<double> numbers;
  bool good = true;
  for (std::size_t at = text->find_first_not_of(mjcf_blanks); at != std::string::npos && good;) {
    const std::size_t end = std::min(text->find_first_of(mjcf_blanks, at), text->size());
    const auto number = number_of_word(std::string_view(*text).substr(at, end - at));
    good = number.has_value();
    if (number) numbers.push_back(*number);
    at = text->find_first_not_of(mjcf_blanks, end);
  }
  if (!good || numbers.size() < least || numbers.size() > most)
    throw InputError(element.where, fmt::format("found {}={}, expected {}", attribute,
                                                in_quotes(*text), count_text(least, most)));
  return numbers;
}

std::optional<double> mjcf_number(const XmlElement& element, const char* attribute) {
  const auto numbers = mjcf_numbers(element, attribute, 1, 1);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<Vec3d> mjcf_vector(const XmlElement& element, const char* attribute) {
  const auto numbers = mjcf_numbers(element, attribute, 3, 3);
  return numbers ? std::optional(Vec3d(numbers->data())) : std::nullopt;
}

std::optional<std::string> mjcf_word(const XmlElement& element, const char* attribute,
                                     const std::vector<std::string>& words) {
  const std::string* text = element.attribute(attribute);
  if (text == nullptr) return std::nullopt;
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  const std::vector<std::string_view> views(words.begin(), words.end());
  throw InputError(element.where,
                   fmt::format("found {}={}, expected one of {}{}", attribute, in_quotes(*text),
                               listed(views), did_you_mean(*text, words)));
}

bool mjcf_flag(const XmlElement& element, const char* attribute, bool otherwise) {
  const auto word = mjcf_word(element, attribute, {"true", "false"});
  return word ? *word == "true" : otherwise;
}

Eigen::Quaterniond mjcf_turn_of_z(const Vec3d& direction) {
  const Vec3d axis = Vec3d::UnitZ().cross(direction);
  const double sine = axis.norm();
  return turned_about(std::atan2(sine, direction.z()),
                      sine < 1e-10 ? Vec3d(Vec3d::UnitX()) : Vec3d(axis / sine));
}

Eigen::Quaterniond mjcf_euler(const Vec3d& angles, const std::string& sequence) {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[i];
    const bool moving = letter >= 'x';
    const Eigen::Quaterniond step =
        turned_about(angles[i], Vec3d::Unit(letter - (moving ? 'x' : 'X')));
    rotation = moving ? rotation * step : step * rotation;
  }
  return rotation.normalized();
}

Eigen::Quaterniond mjcf_rotation(const XmlElement& element, const MjcfAngles& angles) {
  const auto said =
      std::count_if(std::begin(mjcf_orientations), std::end(mjcf_orientations),
                    [&](const char* attribute) { return element.attribute(attribute) != nullptr; });
  if (said > 1)
    throw InputError(element.where,
                     "found several orientations, expected one of quat, axisangle, xyaxes, zaxis "
                     "and euler");
  if (const auto a = mjcf_numbers(element, "axisangle", 4, 4))
    return turned_about(angles.radians((*a)[3]),
                        mjcf_direction(element, "an axis in axisangle", Vec3d(a->data())));
  if (const auto xy = mjcf_numbers(element, "xyaxes", 6, 6)) {
    Mat3d axes;
    axes.col(0) = mjcf_direction(element, "an x axis", Vec3d(xy->data()));
    const Vec3d y(xy->data() + 3);
    axes.col(1) =
        mjcf_direction(element, "a y axis beside x", y - axes.col(0).dot(y) * axes.col(0));
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return Eigen::Quaterniond(axes);
  }
  if (const auto z = mjcf_vector(element, "zaxis"))
    return mjcf_turn_of_z(mjcf_direction(element, "zaxis", *z));
  if (const auto e = mjcf_vector(element, "euler"))
    return mjcf_euler(Vec3d(angles.radians(e->x()), angles.radians(e->y()), angles.radians(e->z())),
                      angles.sequence);
  if (const auto q = mjcf_numbers(element, "quat", 4, 4)) {
    const Eigen::Quaterniond rotation((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (rotation.norm() < 1e-14)
      throw InputError(element.where, "found a quaternion of length 0, expected an orientation");
    return rotation.normalized();
  }
  return Eigen::Quaterniond::Identity();
}

MjcfPose mjcf_pose(const XmlElement& element, const MjcfAngles& angles) {
  return {mjcf_vector(element, "pos").value_or(Vec3d::Zero()), mjcf_rotation(element, angles)};
}

}  // namespace counterpoise
