// MuJoCo: its inverse dynamics as documented, mj_inverse, and the least set of its steps that gives
// the same forces, which ends in mj_rne; and in the same two ways its forward dynamics. A new
// design is written into the compiled model, followed by mj_setConst. MuJoCo refuses massless
// bodies that move; they get 1e-13 kg here, which together with its own rounding of the model costs
// agreement: 5e-9 instead of 1e-9.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "bench/peers/contestant.hpp"

namespace counterpoise::bench {
namespace {

constexpr double least_mass = 1e-13;

template <class Numbers>
std::string words(const Numbers& numbers) {
  std::string text;
  for (const double x : numbers) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g ", x);
    text += digits.data();
  }
  return text;
}

std::string inertial(const Link& link) {
  Link body = link;
  if (body.mass == 0.0) {
    body.mass = least_mass;
    body.inertia = {least_mass, least_mass, least_mass, 0.0, 0.0, 0.0};
  }
  const auto& i = body.inertia;
  const bool diagonal = i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0;
  return "<inertial pos='" + words(body.com) + "' mass='" + words(std::array{body.mass}) + "' " +
         (diagonal ? "diaginertia='" + words(std::array{i[0], i[1], i[2]})
                   : "fullinertia='" + words(i)) +
         "'/>";
}

void add_branch(const Tree& tree, int index, std::string& xml) {
  const Link& link = tree.links[index];
  const auto& r = link.rotation;
  std::array<double, 3> axis{};
  axis[link.axis] = 1.0;
  xml += "<body pos='" + words(link.origin) + "' xyaxes='" +
         words(std::array{r[0], r[3], r[6], r[1], r[4], r[7]}) + "'>" + inertial(link) +
         "<joint type='" + (link.revolute ? "hinge" : "slide") + "' axis='" + words(axis) + "'/>";
  for (int i = index + 1; i < tree.size(); ++i)
    if (tree.links[i].parent == index) add_branch(tree, i, xml);
  xml += "</body>";
}

std::string xml_of(const Tree& tree) {
  std::string xml =
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option gravity='0 0 " +
      words(std::array{-gravity}) +
      "'><flag contact='disable' constraint='disable'/></option><worldbody>";
  for (int i = 0; i < tree.size(); ++i)
    if (tree.links[i].parent < 0) add_branch(tree, i, xml);
  return xml + "</worldbody></mujoco>";
}

/// The links in the order of MuJoCo's coordinates, which is that of the text: a body's whole branch
/// comes before its next sibling.
void list_branch(const Tree& tree, int index, std::vector<int>& order) {
  order.push_back(index);
  for (int i = index + 1; i < tree.size(); ++i)
    if (tree.links[i].parent == index) list_branch(tree, i, order);
}

std::vector<int> order_of(const Tree& tree) {
  std::vector<int> order;
  for (int i = 0; i < tree.size(); ++i)
    if (tree.links[i].parent < 0) list_branch(tree, i, order);
  return order;
}

/// Bodies from the world to the farthest tip.
int depth_of(const Tree& tree) {
  std::vector<int> depths;
  for (const Link& link : tree.links)
    depths.push_back(link.parent < 0 ? 1 : depths[link.parent] + 1);
  return *std::max_element(depths.begin(), depths.end());
}

struct Delete {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
  void operator()(mjVFS* files) const {
    mj_deleteVFS(files);
    delete files;
  }
};

std::unique_ptr<mjModel, Delete> compile(const Tree& tree) {
  const std::string xml = xml_of(tree);
  const std::unique_ptr<mjVFS, Delete> files(new mjVFS);
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "tree.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  std::array<char, 1000> error{};
  std::unique_ptr<mjModel, Delete> model(
      mj_loadXML("tree.xml", files.get(), error.data(), static_cast<int>(error.size())));
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
  return model;
}

class Mujoco : public Contestant {
 public:
  Mujoco(const Tree& tree, const States& states, bool whole)
      : nominal_(tree),
        states_(states),
        whole_(whole),
        model_(compile(tree)),
        inertia_(model_->body_inertia, model_->body_inertia + 3 * model_->nbody),
        data_(mj_makeData(model_.get())),
        tau_(static_cast<std::size_t>(states.links)) {}

  void set_design(const Tree& tree) override {
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const Link& link = tree.links[i];
      const std::size_t body = i + 1;  // the world is MuJoCo's first body
      std::copy(link.origin.begin(), link.origin.end(), model_->body_pos + 3 * body);
      if (link.mass == 0.0) continue;
      // designs scale inertia with mass, so that its principal axes stay
      model_->body_mass[body] = link.mass;
      const double scale = link.mass / nominal_.links[i].mass;
      for (std::size_t k = 3 * body; k < 3 * body + 3; ++k)
        model_->body_inertia[k] = scale * inertia_[k];
    }
    mj_setConst(model_.get(), data_.get());
  }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(t);
  }

  void torques(std::vector<double>& out) override {
    for (int t = 0; t < states_.samples; ++t) {
      solve(t);
      const double* tau = whole_ ? data_->qfrc_inverse : tau_.data();
      out.insert(out.end(), tau, tau + states_.links);
    }
  }

 private:
  void solve(int t) {
    const std::size_t first = states_.at(t, 0), size = tau_.size() * sizeof(double);
    std::memcpy(data_->qpos, &states_.q[first], size);
    std::memcpy(data_->qvel, &states_.v[first], size);
    std::memcpy(data_->qacc, &states_.a[first], size);
    if (whole_) {
      mj_inverse(model_.get(), data_.get());
    } else {
      mj_kinematics(model_.get(), data_.get());
      mj_comPos(model_.get(), data_.get());
      mj_comVel(model_.get(), data_.get());
      mj_rne(model_.get(), data_.get(), 1, tau_.data());
    }
  }

  Tree nominal_;
  States states_;
  bool whole_;
  std::unique_ptr<mjModel, Delete> model_;
  std::vector<double> inertia_;  // of the nominal tree, about principal axes
  std::unique_ptr<mjData, Delete> data_;
  std::vector<double> tau_;
};

/// By mj_forward, or by the least set of its steps that gives the same accelerations.
class MujocoForward : public ForwardContestant {
 public:
  MujocoForward(const Tree& tree, const States& states, bool whole)
      : whole_(whole),
        samples_(states.samples),
        order_(order_of(tree)),
        model_(compile(tree)),
        data_(mj_makeData(model_.get())),
        effort_(order_.size()) {
    for (auto [from, to] : {std::pair(&states.q, &q_), {&states.v, &v_}, {&states.a, &f_}})
      for (int t = 0; t < samples_; ++t)
        for (const int link : order_) to->push_back((*from)[states.at(t, link)]);
  }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(t);
  }

  void accelerations(std::vector<double>& out) override {
    for (int t = 0; t < samples_; ++t) {
      solve(t);
      append(data_->qacc, out);
    }
  }

  void fall(double seconds, double step, std::vector<double>& out) override {
    model_->opt.integrator = mjINT_RK4;
    model_->opt.timestep = step;
    mj_resetData(model_.get(), data_.get());
    put(0);
    std::fill(data_->qfrc_applied, data_->qfrc_applied + order_.size(), 0.0);
    for (long k = std::lround(seconds / step); k > 0; --k) mj_step(model_.get(), data_.get());
    append(data_->qpos, out);
    append(data_->qvel, out);
  }

 private:
  void put(int t) {
    const std::size_t first = static_cast<std::size_t>(t) * order_.size(),
                      size = order_.size() * sizeof(double);
    std::memcpy(data_->qpos, &q_[first], size);
    std::memcpy(data_->qvel, &v_[first], size);
    std::memcpy(data_->qfrc_applied, &f_[first], size);
  }

  void solve(int t) {
    put(t);
    if (whole_) {
      mj_forward(model_.get(), data_.get());
      return;
    }
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, effort_.data());
    for (std::size_t i = 0; i < effort_.size(); ++i)
      effort_[i] = data_->qfrc_applied[i] - effort_[i];
    mj_solveM(model_.get(), data_.get(), data_->qacc, effort_.data(), 1);
  }

  /// In the order of the links.
  void append(const double* values, std::vector<double>& out) const {
    const std::size_t first = out.size();
    out.resize(first + order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      out[first + static_cast<std::size_t>(order_[i])] = values[i];
  }

  bool whole_;
  int samples_;
  std::vector<int> order_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<double> q_, v_, f_, effort_;  // in the order of MuJoCo's coordinates
};

constexpr int deepest = 90;  // its XML reader allows 100 nested elements

}  // namespace

std::string library_version() {
  return std::string("MuJoCo ") + mj_versionString();
}

std::vector<std::string> ways() {
  return {"mj_rne", "mj_inverse"};
}

std::unique_ptr<Contestant> make_contestant(const std::string& way, const Tree& tree,
                                            const States& states) {
  if (depth_of(tree) > deepest) return nullptr;
  return std::make_unique<Mujoco>(tree, states, way == "mj_inverse");
}

std::vector<std::string> forward_ways() {
  return {"mj_factorM", "mj_forward"};
}

std::unique_ptr<ForwardContestant> make_forward(const std::string& way, const Tree& tree,
                                                const States& states) {
  if (depth_of(tree) > deepest) return nullptr;
  return std::make_unique<MujocoForward>(tree, states, way == "mj_forward");
}

}  // namespace counterpoise::bench
