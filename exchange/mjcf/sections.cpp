// Tendons, constraints and actuators of an MJCF file, and names for elements without one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "exchange/mjcf/flattener.hpp"

namespace counterpoise {
namespace {

/// An attribute that names something, and the kind of what it names.
struct NamingAttribute {
  const char *attribute, *kind;
};

constexpr std::array naming = {
    NamingAttribute{"body1", "body"},     NamingAttribute{"body2", "body"},
    NamingAttribute{"joint1", "joint"},   NamingAttribute{"joint2", "joint"},
    NamingAttribute{"tendon1", "tendon"}, NamingAttribute{"tendon2", "tendon"},
    NamingAttribute{"site1", "site"},     NamingAttribute{"site2", "site"},
    NamingAttribute{"joint", "joint"},    NamingAttribute{"jointinparent", "joint"},
    NamingAttribute{"tendon", "tendon"},  NamingAttribute{"site", "site"},
    NamingAttribute{"refsite", "site"},   NamingAttribute{"slidersite", "site"},
    NamingAttribute{"cranksite", "site"}, NamingAttribute{"body", "body"},
    NamingAttribute{"geom", "geom"},      NamingAttribute{"sidesite", "site"},
};

/// Whether an attribute names the world, which has the same name everywhere.
bool is_world(std::string_view attribute, const std::string& name) {
  return attribute.starts_with("body") && name == "world";
}

/// Calls work(kind, name) for each name that an element or its parts refer to.
template <class Work>
void for_each_reference(const XmlElement& element, const Work& work) {
  for (const auto& [attribute, kind] : naming)
    if (const std::string* name = element.attribute(attribute);
        name != nullptr && !name->empty() && !is_world(attribute, *name))
      work(kind, *name);
  for (const XmlElement& child : element.children) for_each_reference(child, work);
}

/// Copies attributes that name something of the context.
void put_names(XmlElement& plain, const XmlElement& from, const MjcfContext& context,
               std::initializer_list<const char*> attributes) {
  for (const char* attribute : attributes)
    if (const std::string* name = from.attribute(attribute); name != nullptr && !name->empty())
      plain.attributes.push_back(
          {attribute, is_world(attribute, *name) ? *name : context.named(*name)});
}

/// The first numbers of an attribute, or others.
std::array<double, 3> first_three(const XmlElement& element, const char* attribute,
                                  std::array<double, 3> otherwise) {
  if (const auto numbers = mjcf_numbers(element, attribute, 0, 100))
    std::copy_n(numbers->begin(), std::min<std::size_t>(numbers->size(), 3), otherwise.begin());
  return otherwise;
}

/// What a motor does by itself: nothing, a constant force, or something that models do not have.
void put_dynamics(XmlElement& plain, const XmlElement& actuator) {
  const auto word = [&](const char* attribute, const char* otherwise) {
    const std::string* said = actuator.attribute(attribute);
    return said == nullptr ? std::string(otherwise) : *said;
  };
  const std::string bias = word("biastype", "none");
  const auto gains = first_three(actuator, "gainprm", {1.0, 0.0, 0.0});
  auto biases = first_three(actuator, "biasprm", {0.0, 0.0, 0.0});
  const bool simple = word("dyntype", "none") == "none" && word("gaintype", "fixed") == "fixed" &&
                      (bias == "none" || bias == "affine") && actuator.name != "plugin";
  if (!simple) biases = {0.0, 1.0, 0.0};
  plain.attributes.push_back({"biastype", simple ? bias : "affine"});
  put_numbers(plain, "gainprm", gains);
  put_numbers(plain, "biasprm", biases);
}

MjcfPose pose_of_plain(const XmlElement& element) {
  return mjcf_pose(element, {.degrees = false});
}

}  // namespace

/// Whether all that an element refers to is there with the names of this context.
bool MjcfFlattener::is_here(const XmlElement& from, const MjcfContext& context) const {
  const bool first = &context == &contexts_.front();
  bool all = true, of_copies = false;
  for_each_reference(from, [&](const std::string& kind, const std::string& name) {
    const std::string full = kind + "/" + context.named(name);
    all = all && defined_.contains(full);
    of_copies = of_copies || replicated_.contains(full);
  });
  return all || (first && !of_copies);  // in the file itself MuJoCo says what is missing
}

void MjcfFlattener::add_sections(const MjcfContext& context) {
  const auto each = [&](const char* section, const auto& add) {
    for (const XmlElement* part : context.source->root.children_named(section))
      for (const XmlElement& element : part->children)
        if (is_here(element, context)) add(element);
  };
  each("tendon", [&](const XmlElement& tendon) { add_tendon(tendon, context); });
  each("equality", [&](const XmlElement& equality) { add_equality(equality, context); });
  each("actuator", [&](const XmlElement& actuator) { add_actuator(actuator, context); });
}

void MjcfFlattener::add_tendon(const XmlElement& from, const MjcfContext& context) {
  const XmlElement tendon = context.source->defaults.resolved(from, "");
  XmlElement plain = plain_element(from.name, from, context);
  const auto stiffness = mjcf_numbers(tendon, "stiffness", 1, 3);
  const auto rest = mjcf_numbers(tendon, "springlength", 1, 2);
  const bool elastic = stiffness && (*stiffness)[0] != 0.0;
  if (stiffness && std::any_of(stiffness->begin() + 1, stiffness->end(),
                               [](double share) { return share != 0.0; }))
    throw InputError(
        tendon.where,
        fmt::format("found stiffness={}, which grows with the deflection, expected one "
                    "number: a spring here has one rate",
                    in_quotes(*tendon.attribute("stiffness"))));
  if (elastic && rest && rest->back() != rest->front())
    throw InputError(tendon.where,
                     fmt::format("found springlength={}, between which the tendon is slack, "
                                 "expected one length: a spring here has one free length",
                                 in_quotes(*tendon.attribute("springlength"))));
  if (stiffness) put_numbers(plain, "stiffness", std::array{stiffness->front()});
  if (rest && !rest->empty()) put_numbers(plain, "springlength", std::array{rest->front()});
  give_range(tendon, context, "", 1.0, plain);
  give_range(tendon, context, "actuatorfrc", 1.0, plain);
  put_same(plain, tendon, {"frictionloss"});
  put_damping(tendon, plain);
  if (mjcf_number(tendon, "armature").value_or(0.0) != 0.0) {
    ++left_out_["armature of a tendon|armatures of tendons"];
    leaves_armature_out_ = true;
  }
  for (const XmlElement& part : from.children) {
    XmlElement piece = plain_element(part.name, part, context);
    put_names(piece, part, context, {"site", "geom", "sidesite", "joint"});
    put_same(piece, part, {"coef", "divisor"});
    plain.children.push_back(std::move(piece));
  }
  define("tendon", from, context);
  add_element(tendons_, std::move(plain));
}

void MjcfFlattener::add_equality(const XmlElement& from, const MjcfContext& context) {
  if (from.name.starts_with("flex") || from.name == "distance")
    throw InputError(from.where,
                     fmt::format("found the constraint <{}>, expected connect, weld, joint or "
                                 "tendon: models have no other",
                                 from.name));
  const XmlElement equality = context.source->defaults.resolved(from, "");
  XmlElement plain = plain_element(from.name, from, context);
  define("loop", from, context);
  put_names(plain, equality, context,
            {"body1", "body2", "joint1", "joint2", "tendon1", "tendon2", "site1", "site2"});
  put_same(plain, equality, {"active", "anchor", "relpose"});
  if (const auto said = mjcf_numbers(equality, "polycoef", 1, 5)) {
    std::array<double, 5> coefficients = {0.0, 1.0, 0.0, 0.0, 0.0};
    std::copy(said->begin(), said->end(), coefficients.begin());
    put_numbers(plain, "polycoef", coefficients);
  }
  if (plain.attribute("site1") != nullptr || plain.attribute("site2") != nullptr)
    add_site_constraint(from, plain);
  for (const char* body : {"body1", "body2"})
    if (const std::string* name = plain.attribute(body); name && handles_.contains(*name)) {
      ++left_out_["constraint of a body of motion capture|constraints of bodies of motion capture"];
      plain_.besides.site_constraints.erase(static_cast<int>(equalities_.children.size()));
      return;
    }
  add_element(equalities_, std::move(plain));
}

/// MuJoCo 2.2 holds bodies only: the points of sites are put in afterwards.
void MjcfFlattener::add_site_constraint(const XmlElement& from, XmlElement& plain) {
  std::array<MjcfPose, 2> poses;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const std::string attribute = i == 0 ? "site1" : "site2";
    const std::string* name = plain.attribute(attribute);
    const auto site = name == nullptr ? sites_.end() : sites_.find(*name);
    if (site == sites_.end())
      throw InputError(from.where,
                       fmt::format("found <{}> without the {} {}, expected two sites "
                                   "that are there",
                                   from.name, attribute, name == nullptr ? "" : in_quotes(*name)));
    poses[i] = site->second.second;
    const std::string body = i == 0 ? "body1" : "body2";
    plain.attributes.push_back({body, site->second.first});
  }
  std::erase_if(plain.attributes, [](const XmlAttribute& a) {
    return a.name == "site1" || a.name == "site2" || a.name == "relpose";
  });
  const Vec3d& anchor = poses[from.name == "weld" ? 1 : 0].position;
  put_numbers(plain, "anchor", std::array{anchor.x(), anchor.y(), anchor.z()});
  plain_.besides.site_constraints[static_cast<int>(equalities_.children.size())] = poses;
}

void MjcfFlattener::add_actuator(const XmlElement& from, const MjcfContext& context) {
  const XmlElement actuator = context.source->defaults.resolved(from, "");
  const double group = mjcf_number(actuator, "group").value_or(0.0);
  if (disabled_groups_.contains(static_cast<int>(group))) {
    ++left_out_["actuator of a disabled group|actuators of disabled groups"];
    return;
  }
  XmlElement plain = plain_element("general", from, context);
  define("actuator", from, context);
  put_names(plain, actuator, context, {"joint", "tendon"});
  if (const std::string* joint = actuator.attribute("jointinparent"))
    plain.attributes.push_back({"joint", context.named(*joint)});
  if (plain.attribute("joint") == nullptr && plain.attribute("tendon") == nullptr) {
    ++left_out_["actuator on neither a joint nor a tendon|actuators on neither joints nor tendons"];
    return;
  }
  put_same(plain, actuator, {"gear"});
  give_range(actuator, context, "force", 1.0, plain);
  put_dynamics(plain, actuator);
  if (actuator.attribute("ctrlrange") != nullptr)
    ++left_out_["range of a control|ranges of controls"];
  for (const std::string own : {"damping", "armature"})
    if (const auto share = mjcf_numbers(actuator, own.c_str(), 0, 3);
        share && std::any_of(share->begin(), share->end(), [](double x) { return x != 0.0; })) {
      ++left_out_[fmt::format("{0} of an actuator|{0} of actuators", own)];
      leaves_armature_out_ = leaves_armature_out_ || own == "armature";
    }
  add_element(actuators_, std::move(plain));
}

/// Names an element without a name by its kind and its place among elements of that kind.
void MjcfFlattener::name_element(XmlElement& element, const std::string& kind, int index) {
  if (element.attribute("name") != nullptr) return;
  std::string name = fmt::format("{}_{}", kind, index);
  while (defined_.contains(kind + "/" + name)) name += '_';
  element.attributes.insert(element.attributes.begin(), {"name", name});
}

/// Names bodies and joints in MuJoCo's order, and notes what MuJoCo 2.2 does not support.
void MjcfFlattener::name_bodies(XmlElement& body) {
  const std::string* said = body.attribute("name");
  const std::string name = said == nullptr ? "world" : *said;
  if (mjcf_flag(body, "mocap", false)) handles_.insert(name);
  for (XmlElement& child : body.children) {
    if (child.name == "joint") {
      name_element(child, "joint", joints_++);
      take_limits(child, plain_.besides.joint_limits);
    } else if (child.name == "site") {
      sites_[*child.attribute("name")] = {name, pose_of_plain(child)};
    } else if (child.name == "inertial" && child.where.pointer != body.where.pointer) {
      plain_.besides.with_inertial.insert(name);
    }
  }
  for (XmlElement& child : body.children)
    if (child.name == "body") {
      name_element(child, "body", ++bodies_);
      name_bodies(child);
    }
}

void MjcfFlattener::name_section(XmlElement& section, const std::string& kind) {
  int index = 0;
  for (XmlElement& element : section.children) {
    name_element(element, kind, index++);
    if (kind == "tendon") take_limits(element, plain_.besides.tendon_limits);
  }
}

/// The larger of the two limits of all actuators' forces, which MuJoCo 2.2 does not have.
void MjcfFlattener::take_limits(XmlElement& element, std::map<std::string, double>& limits) {
  if (const auto range = mjcf_numbers(element, "actuatorfrcrange", 2, 2))
    limits[*element.attribute("name")] = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
  std::erase_if(element.attributes,
                [](const XmlAttribute& a) { return a.name.starts_with("actuatorfrc"); });
}

void MjcfFlattener::note_left_out() {
  constexpr std::array sections = {std::pair{"sensor", "sensor|sensors"},
                                   std::pair{"keyframe", "key frame|key frames"},
                                   std::pair{"contact", "pair of contacts|pairs of contacts"},
                                   std::pair{"custom", "custom element|custom elements"},
                                   std::pair{"deformable", "deformable|deformables"}};
  for (const auto& [section, what] : sections)
    for (const XmlElement* part : source_.root.children_named(section)) {
      for (const XmlElement& element : part->children)
        if (element.name == "flex")
          throw InputError(element.where,
                           "found <flex>, a body that bends, expected rigid bodies: "
                           "models have no other");
      if (!part->children.empty()) left_out_[what] += static_cast<int>(part->children.size());
    }
  std::vector<Remark>& remarks = plain_.besides.remarks;
  std::string text;
  for (const auto& [what, count] : left_out_)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count,
                    count == 1 ? what.substr(0, what.find('|')) : what.substr(what.find('|') + 1));
  if (!text.empty()) remarks.push_back({source_.root.where, "left out: " + text});
  int newer = 0;
  std::string kinds;
  for (const auto& [attribute, count] : newer_) {
    newer += count;
    kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", attribute);
  }
  if (newer > 0)
    remarks.push_back({source_.root.where,
                       fmt::format("{} newer than MuJoCo 2.2 that change{} no load {} left out: {}",
                                   counted_things(newer, "attribute"), newer == 1 ? "s" : "",
                                   newer == 1 ? "is" : "are", kinds)});
  if (leaves_armature_out_ && !spring_dampers_.empty())
    remarks.push_back(
        {spring_dampers_.front(),
         fmt::format("springdamper of {} becomes the stiffness for inertias without "
                     "the armature of tendons and actuators, which MuJoCo counts",
                     counted_things(static_cast<int>(spring_dampers_.size()), "joint"))});
  if (compensated_ > 0)
    remarks.push_back(
        {source_.root.where,
         fmt::format("gravcomp of {} is left out: actuators carry the weight",
                     compensated_ == 1 ? "one body" : fmt::format("{} bodies", compensated_))});
}

PlainMjcf plain_mjcf(const XmlElement& root, const std::filesystem::path& path,
                     const FileProvider& files, const ImportOptions& options) {
  std::vector<std::filesystem::path> read;
  const MjcfSource source(root, path, files, read);
  PlainMjcf plain = MjcfFlattener(source, options).write();
  plain.besides.files = std::move(read);
  return plain;
}

}  // namespace counterpoise
