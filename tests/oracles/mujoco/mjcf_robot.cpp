#include "tests/oracles/mujoco/mjcf_robot.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace counterpoise::oracle {

struct MjcfRobot::Parts {
  mjModel* model = nullptr;
  mjData* data = nullptr;
};

MjcfRobot::MjcfRobot(const std::string& file) : parts_(std::make_unique<Parts>()) {
  std::array<char, 1000> error{};
  parts_->model = mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
  if (parts_->model == nullptr) throw std::runtime_error(error.data());
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
    const JointState& state = states.at(joints_[static_cast<std::size_t>(j)]);
    d->qpos[m->jnt_qposadr[j]] = state.q;
    d->qvel[m->jnt_dofadr[j]] = state.v;
    d->qacc[m->jnt_dofadr[j]] = state.a;
  }
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
    forces[static_cast<std::size_t>(i)] = force;
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

}  // namespace counterpoise::oracle
