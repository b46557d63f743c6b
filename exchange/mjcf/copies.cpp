// What an MJCF file has several times or from elsewhere: copies of a part, and attached models.
#include <fmt/format.h>

#include <cmath>

#include "exchange/mjcf/flattener.hpp"

namespace counterpoise {
namespace {

/// An element of a body tree, and the default class in it.
struct FoundElement {
  const XmlElement* element = nullptr;
  std::string around;
};

FoundElement find_named(const XmlElement& in, const std::string& kind, const std::string& name,
                        const std::string& around) {
  for (const XmlElement& child : in.children) {
    const std::string* own = child.attribute("childclass");
    const std::string inside = own != nullptr ? *own : around;
    const std::string* said = child.attribute("name");
    if (child.name == kind && said != nullptr && *said == name) return {&child, around};
    if (const FoundElement below = find_named(child, kind, name, inside); below.element != nullptr)
      return below;
  }
  return {};
}

/// The number of a copy with as many digits as their count has.
std::string number_of_copy(int copy, int count) {
  return fmt::format("{:0{}}", copy, std::to_string(count).size());
}

/// Names that only the copies of a part have, by kinds.
void find_names(const XmlElement& part, const MjcfContext& context, std::set<std::string>& names) {
  for (const XmlElement& child : part.children) {
    const std::string* name = child.attribute("name");
    if (name != nullptr && !name->empty())
      names.insert((child.name == "freejoint" ? "joint" : child.name) + "/" + context.named(*name));
    find_names(child, context, names);
  }
}

}  // namespace

void MjcfFlattener::add_copies(const XmlElement& replicate, const MjcfContext& context,
                               OpenBody& body) {
  const MjcfAngles& angles = context.source->angles;
  const auto count = mjcf_number(replicate, "count");
  if (!count || *count < 0.0 || *count != std::floor(*count) || *count > 100'000.0)
    throw InputError(replicate.where,
                     "found <replicate> without a count, expected the number of "
                     "copies, at most 100000");
  const Vec3d offset = mjcf_vector(replicate, "offset").value_or(Vec3d::Zero());
  Vec3d turns = mjcf_vector(replicate, "euler").value_or(Vec3d::Zero());
  for (double& angle : turns) angle = angles.radians(angle);
  const std::string* separator = replicate.attribute("sep");
  context.source->defaults.check_class(replicate, "childclass");
  find_names(replicate, context, replicated_);
  const Eigen::Quaterniond turned = mjcf_euler(turns, angles.sequence);
  MjcfPose step;
  for (int i = 0; i < static_cast<int>(*count); ++i) {
    step.rotation = mjcf_euler(i * turns, angles.sequence);
    MjcfContext inside = context;
    if (const std::string* own = replicate.attribute("childclass")) inside.around = *own;
    inside.suffix = (separator == nullptr ? "" : *separator) +
                    number_of_copy(i, static_cast<int>(*count)) + context.suffix;
    inside.frame = context.frame * step;
    contexts_.push_back(inside);
    add_children(replicate, inside, body);
    step = step * MjcfPose{offset, turned};
  }
}

void MjcfFlattener::attach(const XmlElement& from, const MjcfContext& context, OpenBody& body) {
  const std::string* model = from.attribute("model");
  const std::string* prefix = from.attribute("prefix");
  const std::string* body_name = from.attribute("body");
  const std::string* frame_name = from.attribute("frame");
  const std::string* name = body_name != nullptr ? body_name : frame_name;
  if (prefix == nullptr)
    throw InputError(from.where,
                     "found <attach> without prefix, expected what names get before "
                     "them, which may be empty");
  MjcfContext inside = context;
  inside.prefix = context.prefix + *prefix;
  inside.around.clear();
  if (model != nullptr) inside.source = &context.source->model(*model, from.where);
  const MjcfSource& attached = *inside.source;
  if (attached.bounds != source_.bounds && !attached.bounds.empty())
    throw InputError(from.where,
                     "found an attached model whose <compiler> changes masses otherwise "
                     "than this file's, expected the same");
  if (model != nullptr)
    for (const auto& [attribute, count] : attached.newer) newer_[attribute] += count;
  contexts_.push_back(inside);
  if (name == nullptr) {
    if (model == nullptr)
      throw InputError(from.where, "found <attach> without model, body and frame, expected one");
    for (const XmlElement* world : attached.root.children_named("worldbody"))
      add_children(*world, inside, body);
    return;
  }
  const char* kind = body_name != nullptr ? "body" : "frame";
  FoundElement found;
  for (const XmlElement* world : attached.root.children_named("worldbody"))
    if (found.element == nullptr) found = find_named(*world, kind, *name, "");
  if (found.element == nullptr)
    throw InputError(from.where, fmt::format("found the {} {} to attach, expected one of the model",
                                             kind, in_quotes(*name)));
  inside.around = found.around;
  if (++depth_ > 200) throw InputError(from.where, "found a body that is attached to itself");
  add_child(*found.element, inside, body);
  --depth_;
}

}  // namespace counterpoise
