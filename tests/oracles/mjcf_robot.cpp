#include "tests/oracles/mjcf_robot.hpp"

#include <mujoco/mujoco.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace counterpoise::oracle {

struct MjcfRobot::Parts {
  mjModel* model = nullptr;
  mjData* data = nullptr;
};

MjcfRobot::MjcfRobot(const std::string& file) : parts_(std::make_unique<Parts>()) {
  std::array<char, 1000> error{};
  parts_->model = mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
  if (parts_->model == nullptr) throw std::runtime_error(error.data());
  parts_->model->opt.jacobian = mjJAC_DENSE;
  parts_->data = mj_makeData(parts_->model);
  for (int j = 0; j < parts_->model->njnt; ++j)
    joints_.emplace_back(mj_id2name(parts_->model, mjOBJ_JOINT, j));
}

MjcfRobot::~MjcfRobot() {
  mj_deleteData(parts_->data);
  mj_deleteModel(parts_->model);
}

void MjcfRobot::set_state(const std::map<std::string, JointState>& states) const {
  const mjModel* m = parts_->model;
  mjData* d = parts_->data;
  mj_resetData(m, d);
  for (int j = 0; j < m->njnt; ++j) {
    const JointState& state = states.at(joints_[j]);
    d->qpos[m->jnt_qposadr[j]] = state.q;
    d->qvel[m->jnt_dofadr[j]] = state.v;
    d->qacc[m->jnt_dofadr[j]] = state.a;
  }
}

BodyMass MjcfRobot::mass_of(int body) const {
  const mjModel* m = parts_->model;
  BodyMass found{.mass = m->body_mass[body]};
  std::copy_n(m->body_ipos + 3L * body, 3, found.centre.begin());
  std::copy_n(m->body_inertia + 3L * body, 3, found.moments.begin());
  std::sort(found.moments.rbegin(), found.moments.rend());
  return found;
}

std::vector<double> MjcfRobot::missing_forces(const std::map<std::string, JointState>& states,
                                              const std::map<std::string, double>& loads) const {
  mjModel* m = parts_->model;
  mjData* d = parts_->data;
  set_state(states);
  m->opt.disableflags = mjDSBL_CONSTRAINT;
  mj_inverse(m, d);
  mj_transmission(m, d);
  std::vector<double> forces(static_cast<std::size_t>(m->nv));
  for (int i = 0; i < m->nv; ++i) {
    double force = d->qfrc_inverse[i];
    for (int a = 0; a < m->nu; ++a) {
      const auto load = loads.find(mj_id2name(m, mjOBJ_ACTUATOR, a));
      const double given = load == loads.end() ? m->actuator_biasprm[a * mjNBIAS] : load->second;
      force -= given * d->actuator_moment[a * m->nv + i];
    }
    forces[i] = force;
  }
  return forces;
}

ConstraintError MjcfRobot::constraint_error(const std::map<std::string, JointState>& states) const {
  set_state(states);
  parts_->model->opt.disableflags = 0;
  mj_fwdPosition(parts_->model, parts_->data);
  ConstraintError error{parts_->data->ne, 0.0};
  for (int i = 0; i < error.equations; ++i)
    error.largest = std::max(error.largest, std::abs(parts_->data->efc_pos[i]));
  return error;
}

Tendon MjcfRobot::tendon(const std::string& name,
                         const std::map<std::string, JointState>& states) const {
  const mjModel* m = parts_->model;
  const mjData* d = parts_->data;
  set_state(states);
  mj_fwdPosition(m, parts_->data);
  const long id = mj_name2id(m, mjOBJ_TENDON, name.c_str());
  Tendon found{.length = d->ten_length[id]};
  for (int j = 0; j < m->njnt; ++j)
    found.slopes[joints_[j]] = d->ten_J[id * m->nv + m->jnt_dofadr[j]];
  return found;
}

std::vector<double> MjcfRobot::free_part(const std::map<std::string, JointState>& states,
                                         const std::vector<double>& forces) const {
  constexpr double dependent = 1e-7;  // of equations that say what others say
  set_state(states);
  parts_->model->opt.disableflags = 0;
  mj_fwdPosition(parts_->model, parts_->data);
  if (parts_->data->ne == 0) return forces;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> jacobian(parts_->data->efc_J, parts_->data->ne, parts_->model->nv);
  const Eigen::Map<const Eigen::VectorXd> all(forces.data(), parts_->model->nv);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rows;
  rows.setThreshold(dependent);
  rows.compute(jacobian);
  const Eigen::VectorXd taken = rows.solve(jacobian * all);  // the least one with this image
  const Eigen::VectorXd left = all - taken;
  return {left.begin(), left.end()};
}

std::vector<double> MjcfRobot::accelerations(const std::map<std::string, JointState>& states,
                                             const std::map<std::string, double>& loads,
                                             double impedance) const {
  mjModel* m = parts_->model;
  mjData* d = parts_->data;
  set_state(states);
  m->opt.disableflags = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_WARMSTART;
  m->opt.tolerance = 0.0;  // as far as the solver comes
  for (int e = 0; e < m->neq; ++e)
    std::fill_n(m->eq_solimp + static_cast<std::ptrdiff_t>(mjNIMP) * e, 2, impedance);
  for (int a = 0; a < m->nu; ++a) {
    const auto load = loads.find(mj_id2name(m, mjOBJ_ACTUATOR, a));
    d->ctrl[a] = load == loads.end() ? 0.0 : load->second;
  }
  mj_forward(m, d);
  return {d->qacc, d->qacc + m->nv};
}

std::vector<double> MjcfRobot::inverse(const std::vector<double>& qpos,
                                       const std::vector<double>& qvel,
                                       const std::vector<double>& qacc) const {
  mjModel* m = parts_->model;
  mjData* d = parts_->data;
  if (std::cmp_not_equal(qpos.size(), m->nq) || std::cmp_not_equal(qvel.size(), m->nv) ||
      std::cmp_not_equal(qacc.size(), m->nv))
    throw std::invalid_argument("expected a state of the robot's size");
  mj_resetData(m, d);
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  std::copy(qvel.begin(), qvel.end(), d->qvel);
  std::copy(qacc.begin(), qacc.end(), d->qacc);
  m->opt.disableflags = mjDSBL_CONSTRAINT;
  mj_inverse(m, d);
  return {d->qfrc_inverse, d->qfrc_inverse + m->nv};
}

}  // namespace counterpoise::oracle
