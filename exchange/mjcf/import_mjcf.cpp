#include "exchange/import_mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/mjcf/bodies.hpp"
#include "exchange/mjcf/compiled.hpp"
#include "exchange/mjcf/plain.hpp"

namespace counterpoise {
namespace {

/// Files that are named besides those that are read.
void find_files(const XmlElement& element, const std::filesystem::path& folder,
                std::vector<std::filesystem::path>& files) {
  if (const std::string* file = element.attribute("file")) files.push_back(folder / *file);
  for (const XmlElement& child : element.children) find_files(child, folder, files);
}

/// Places of named elements, by kind and name.
void find_places(const XmlElement& element, MjcfPlaces& places) {
  if (const std::string* name = element.attribute("name"))
    places.named.emplace(element.name + "/" + *name, element.where);
  for (const XmlElement& child : element.children) find_places(child, places);
}

/// Writes the points of sites where MuJoCo 2.2 holds the points of body constraints.
void hold_sites(const MjcfBesides& besides, mjModel& model) {
  for (const auto& [equality, sites] : besides.site_constraints) {
    double* data = model.eq_data + static_cast<std::ptrdiff_t>(mjNEQDATA) * equality;
    const bool weld = model.eq_type[equality] == mjEQ_WELD;
    // connect: its own point of each body; weld: the first body's point stands second
    std::copy_n(sites[weld ? 1 : 0].position.data(), 3, data);
    std::copy_n(sites[weld ? 0 : 1].position.data(), 3, data + 3);
    if (!weld) continue;
    const Eigen::Quaterniond q = sites[0].rotation * sites[1].rotation.conjugate();
    const double turned[] = {q.w(), q.x(), q.y(), q.z()};
    std::copy_n(turned, 4, data + 6);
  }
}

}  // namespace

ImportedModel import_mjcf(const XmlElement& root, const std::filesystem::path& path,
                          const FileProvider& files, const ImportOptions& options) {
  const PlainMjcf plain = plain_mjcf(root, path, files, options);
  const MjcfModel model = compiled_mjcf(plain.root);
  if (model->nbody == 1) throw InputError(root.where, "found no <body>, expected at least one");
  hold_sites(plain.besides, *model);
  MjcfPlaces places{.whole = root.where, .besides = plain.besides};
  find_places(plain.root, places);
  find_files(root, path.parent_path(), places.besides.files);
  const std::string* name = root.attribute("model");
  const auto made = [&](bool lines) {
    MjcfBodies bodies(*model, places, options, lines);
    bodies.add_all();
    return bodies.finish(name == nullptr || name->empty() ? path.stem().string() : *name,
                         fmt::format("Imported from {}.", path.filename().string()));
  };
  // motors between two sites are taken where the model then has one actuator for each degree of
  // freedom
  try {
    return made(true);
  } catch (const InputError&) {
    return made(false);
  }
}

}  // namespace counterpoise
