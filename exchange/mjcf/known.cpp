#include "exchange/mjcf/known.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "exchange/mjcf/defaults.hpp"

namespace counterpoise {
namespace {

/// An element of MJCF as MuJoCo 3.14 and 2.2 have it: its attributes, with + before those that are
/// newer than 2.2 and change no load, and what may stand in it. Elements of one name that say
/// different things have a section before their name.
struct KnownElement {
  std::string_view key, attributes, children;
};

constexpr std::string_view in_body =
    "body frame replicate inertial joint freejoint geom attach site camera light plugin composite "
    "flexcomp";
constexpr std::string_view actuator_kinds =
    "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion "
    "dcmotor plugin";
constexpr std::string_view joint_attributes =
    "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
    "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp "
    "margin ref springref armature damping frictionloss user";
constexpr std::string_view geom_attributes =
    "name class type contype conaffinity condim group priority size material friction mass density "
    "shellinertia solmix solref solimp margin gap +surfacevel +adhesion fromto pos quat axisangle "
    "xyaxes zaxis euler hfield mesh fitscale rgba fluidshape fluidcoef user";
constexpr std::string_view site_attributes =
    "name class type group pos quat axisangle xyaxes zaxis euler material size fromto rgba user";
constexpr std::string_view tendon_attributes =
    "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
    "solreffriction solimpfriction frictionloss springlength width material margin stiffness "
    "damping armature rgba user";
constexpr std::string_view equality_attributes = "name class active solref solimp";
constexpr std::string_view actuator_attributes =
    "name class group +nsample +interp +delay ctrlrange user ctrllimited forcelimited actlimited "
    "forcerange actrange +inheritrange lengthrange gear damping armature cranklength joint "
    "jointinparent tendon slidersite cranksite site refsite body +actdim +input +velrange +ffrange "
    "+posrange dyntype gaintype biastype dynprm gainprm biasprm +actearly kp kv +dampratio "
    "timeconst area diameter bias range force scale lmin lmax vmax fpmax fvmax +tausmooth gain +ki "
    "+imax +slewmax +motorconst +resistance +nominal +saturation +inductance +cogging +controller "
    "+thermal +lugre plugin instance";

constexpr KnownElement known_elements[] = {
    {"mujoco", "model",
     "compiler option size statistic visual default extension asset worldbody deformable contact "
     "tendon equality actuator sensor custom keyframe"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
     "fitaabb eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom "
     "inertiagrouprange +saveinertial assetdir +alignfree +conflict convexhull exactmeshinertia",
     "lengthrange"},
    {"option",
     "timestep impratio tolerance +ls_tolerance noslip_tolerance +ccd_tolerance +sleep_tolerance "
     "gravity wind magnetic density viscosity o_margin o_solref o_solimp +o_friction integrator "
     "cone jacobian solver iterations +ls_iterations noslip_iterations +ccd_iterations "
     "+sdf_iterations +sdf_initpoints actuatorgroupdisable apirate mpr_tolerance collision "
     "mpr_iterations",
     "flag"},
    {"flag",
     "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart "
     "filterparent actuation refsafe sensor +midphase +eulerdamp +autoreset +nativeccd +island "
     "multiccd override energy fwdinv +invdiscrete +sleep +diagexact passive sensornoise",
     ""},
    {"worldbody", "", in_body},
    {"body",
     "name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp +sleep +simple user",
     in_body},
    {"frame", "name childclass pos quat axisangle xyaxes zaxis euler", in_body},
    {"replicate", "count offset euler sep childclass name pos quat axisangle xyaxes zaxis",
     in_body},
    {"attach", "model body frame prefix", ""},
    {"inertial", "pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia", ""},
    {"joint", joint_attributes, ""},
    {"freejoint", "name group +align", ""},
    {"geom", geom_attributes, "plugin"},
    {"site", site_attributes, ""},
    {"asset", "", "mesh hfield skin texture material model"},
    {"mesh",
     "name class +content_type file vertex normal texcoord face refpos refquat scale smoothnormal "
     "+maxhullvert inertia builtin params +material",
     "plugin"},
    {"model", "name file content_type", ""},
    {"tendon", "", "spatial fixed"},
    {"spatial", tendon_attributes, "site geom pulley"},
    {"fixed", tendon_attributes, "joint"},
    {"spatial/site", "site", ""},
    {"spatial/geom", "geom sidesite", ""},
    {"pulley", "divisor", ""},
    {"fixed/joint", "joint coef", ""},
    {"equality", "", "connect weld joint tendon flex flexvert flexstrain distance"},
    {"connect", "name class active solref solimp body1 body2 anchor site1 site2", ""},
    {"weld", "name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale",
     ""},
    {"equality/joint", "name class active solref solimp joint1 joint2 polycoef", ""},
    {"equality/tendon", "name class active solref solimp tendon1 tendon2 polycoef", ""},
    {"actuator", "", actuator_kinds},
    {"actuator/any", actuator_attributes, "config"},
    {"default", "class",
     "default mesh material joint geom site camera light pair equality tendon general motor "
     "position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor"},
    {"default/equality", equality_attributes, ""},
    {"default/tendon", tendon_attributes, ""},
};

std::vector<std::string> known_words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

const KnownElement* find_known(std::string_view key) {
  const auto* found = std::find_if(std::begin(known_elements), std::end(known_elements),
                                   [&](const KnownElement& e) { return e.key == key; });
  return found == std::end(known_elements) ? nullptr : found;
}

/// What is known of an element in a section, or nullptr where it is not looked at.
const KnownElement* find_in_section(const XmlElement& element, std::string_view section) {
  if ((section == "actuator" || section == "default") && is_mjcf_actuator(element.name))
    return find_known("actuator/any");
  if (const KnownElement* here = find_known(fmt::format("{}/{}", section, element.name)))
    return here;
  return find_known(element.name);
}

/// Sections whose elements change no load, and elements that are refused where they stand.
bool is_looked_at(std::string_view name) {
  constexpr std::string_view others =
      " size statistic visual extension deformable contact sensor custom keyframe lengthrange "
      "hfield skin texture material camera light pair plugin composite flexcomp flex flexvert "
      "flexstrain distance config ";
  return others.find(fmt::format(" {} ", name)) == std::string_view::npos;
}

void check_element(const XmlElement& element, std::string_view section, Mistakes& mistakes,
                   NewMjcfAttributes& newer) {
  const KnownElement* row = find_in_section(element, section);
  if (row == nullptr || mistakes.enough()) return;
  const std::vector<std::string> attributes = known_words(row->attributes);
  for (const XmlAttribute& attribute : element.attributes) {
    const std::string& name = attribute.name;
    if (std::find(attributes.begin(), attributes.end(), name) != attributes.end()) continue;
    if (std::find(attributes.begin(), attributes.end(), "+" + name) != attributes.end()) {
      ++newer[element.name + " " + name];
      continue;
    }
    mistakes.attempt([&] {
      std::vector<std::string> names = attributes;
      for (std::string& one : names)
        if (one.starts_with('+')) one.erase(0, 1);
      throw InputError(element.where,
                       fmt::format("found the attribute {} of <{}>, which MuJoCo does not have{}",
                                   in_quotes(name), element.name, did_you_mean(name, names)));
    });
  }
  const std::vector<std::string> children = known_words(row->children);
  for (const XmlElement& child : element.children) {
    if (std::find(children.begin(), children.end(), child.name) == children.end()) {
      mistakes.attempt([&] {
        throw InputError(child.where,
                         fmt::format("found <{}> in <{}>, where MuJoCo has none{}", child.name,
                                     element.name, did_you_mean(child.name, children)));
      });
    } else if (is_looked_at(child.name)) {
      check_element(child, element.name, mistakes, newer);
    }
  }
}

}  // namespace

NewMjcfAttributes check_known_mjcf(const XmlElement& root) {
  Mistakes mistakes;
  NewMjcfAttributes newer;
  check_element(root, "", mistakes, newer);
  mistakes.raise();
  return newer;
}

}  // namespace counterpoise
