#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// A model file with a design's values in place of its own.
struct AppliedModel {
  std::string text;                       // JSON
  std::vector<std::string> changed;       // the parameters that were set, in the model's order
  std::vector<std::string> own_settings;  // motions with parameters of their own that are left out
  std::vector<std::string> drives;        // bodies that were added: drives that the design carries
};

/// The study's model with the values that a case (its id is for the record only) sets. `motion`:
/// the motion whose own parameters are applied too, or -1. Each value is written in the parameter's
/// own unit if that reads back as the same bits, else in SI. `source` of a parameter that is set
/// names the catalogue and its part, or the case; everything else stays as it is, expressions and
/// notes included. A drive that is mounted becomes a point mass, on a body of its own that is fixed
/// where it is mounted, "lift_drive". Throws InputError where none suffices for the design.
AppliedModel applied_model(const Study& study, const std::vector<double>& point, std::int64_t id,
                           int motion);

/// A model text that is written elsewhere than where its model was read.
struct MovedModel {
  std::string text;
  std::vector<std::string> missing;  // files that it names, and that are not found from there
};

/// The text with relative names of meshes and profiles that lead to the same files from the folder
/// of `to` as they do from that of `model`. Names stay as they are where there is no such file, and
/// all do where `model` is not the study's model file as it was read: another folder may have a
/// file of that name.
MovedModel moved_model(std::string_view text, const Study& study, const std::filesystem::path& to);

/// The text of a model file with these values in place of its own, written in the same way;
/// `source` says where they are from.
std::string text_with_values(const Model& model, std::string_view text,
                             std::span<const ParameterSetting> settings, const std::string& source);

/// The parameters that a case sets, with their values in SI, in the order of the model. `motion` as
/// above.
std::vector<ParameterSetting> settings_of(const Study& study, const std::vector<double>& point,
                                          int motion);

}  // namespace counterpoise
