// MuJoCo of today as WebAssembly: reads requests as lines of JSON and answers each with one.
//
//   {"file": "robot.xml"}
//     -> {"joints": [{"name", "type"}], "freedom": 7} or {"error": "what MuJoCo says"}
//   {"file": "robot.xml", "states": [[[q, v, a] of each hinge and slide, three for a ball], ...]}
//     -> {"forces": [[...], ...], "missing": [...], "open": [...]}
//
// Forces are those that inverse dynamics needs of the joints, without friction, damping, armature
// and what actuators give. With "loads", [[force of each joint], ...], "missing" is the largest
// force that these leave in the directions in which equality constraints let the joints move, and
// "open" the largest error of a constraint. Balls have to be where their file has them.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';

import loadMujoco from '@mujoco/mujoco';

const said = [];
const mujoco = await loadMujoco({print: (text) => said.push(text), printErr: (text) => said.push(text)});
const FREE = 0, BALL = 1;
const CONTACT = 1 << 4, LIMIT = 1 << 3, FRICTION = 1 << 2, SPARSE_OFF = 0;

const copied = new Set();

/// Copies what is new in a folder of the disk to where MuJoCo sees it, under the same names.
function copy(folder) {
  mujoco.FS.mkdirTree(folder);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) copy(path);
    else if (!copied.has(path)) mujoco.FS.writeFile(path, readFileSync(path));
    copied.add(path);
  }
}

function loaded(request) {
  const file = resolve(request.file);
  copy(resolve(request.folder ?? dirname(file)));
  said.length = 0;
  const model = mujoco.MjModel.mj_loadXML(file);
  if (!model) throw new Error('no model');
  return model;
}

function joints_of(model) {
  const joints = [];
  for (let j = 0; j < model.njnt; ++j)
    joints.push({
      name: mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT.value, j) ?? '',
      type: model.jnt_type[j],
      at: model.jnt_dofadr[j],
      position: model.jnt_qposadr[j],
      count: model.jnt_type[j] === FREE ? 6 : model.jnt_type[j] === BALL ? 3 : 1,
    });
  return joints;
}

/// Leaves out what models leave out.
function simplify(model, ignoresCompensation) {
  for (const name of ['dof_damping', 'dof_armature', 'dof_frictionloss', 'tendon_damping',
    'tendon_armature', 'tendon_frictionloss', 'actuator_damping', 'actuator_armature',
    'dof_dampingpoly', 'tendon_dampingpoly', 'actuator_dampingpoly'])
    model[name]?.fill(0);
  if (ignoresCompensation) model.body_gravcomp.fill(0);
  const options = model.opt;
  options.disableflags |= CONTACT | LIMIT | FRICTION;
  options.density = options.viscosity = 0;
  options.jacobian = SPARSE_OFF;
}

/// The equality constraints by which motion capture holds bodies, which are left out.
function handles_of(model) {
  const handles = new Set(), last = 1;  // connect and weld
  for (let e = 0; e < model.neq; ++e) {
    const site = model.eq_objtype[e] === mujoco.mjtObj.mjOBJ_SITE.value;
    const bodies = [model.eq_obj1id[e], model.eq_obj2id[e]].map((id) => site ? model.site_bodyid[id] : id);
    if (model.eq_type[e] <= last && bodies.some((body) => model.body_mocapid[body] >= 0)) handles.add(e);
  }
  return handles;
}

/// What is left of forces across the rows of a Jacobian.
function across(rows, forces) {
  const rest = Float64Array.from(forces), basis = [];
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const less = (vector, along) => {
    const share = dot(vector, along);
    for (let i = 0; i < vector.length; ++i) vector[i] -= share * along[i];
  };
  for (const row of rows) {
    const vector = Float64Array.from(row), size = Math.sqrt(dot(row, row));
    for (let twice = 0; twice < 2; ++twice) for (const along of basis) less(vector, along);
    const left = Math.sqrt(dot(vector, vector));
    if (left <= 1e-7 * size) continue;
    basis.push(vector.map((x) => x / left));
  }
  for (let twice = 0; twice < 2; ++twice) for (const along of basis) less(rest, along);
  return rest;
}

function answer(request) {
  const model = loaded(request);
  const joints = joints_of(model);
  const shown = joints.map(({name, type}) => ({name, type}));
  if (!request.states) {
    const result = {joints: shown, freedom: model.nv, constraints: model.neq, bodies: model.nbody - 1};
    model.delete();
    return result;
  }
  simplify(model, request.ignore_gravcomp);
  const data = new mujoco.MjData(model);
  mujoco.mj_setConst(model, data);  // inertias that do not change are kept with their armature
  const handles = handles_of(model);
  const result = {joints: shown, forces: [], missing: [], open: []};
  request.states.forEach((state, k) => {
    data.qpos.set(model.qpos0);
    data.qvel.fill(0);
    data.qacc.fill(0);
    const moving = [];  // degrees of freedom in the states
    for (const joint of joints) {
      if (joint.type === FREE) continue;
      for (let i = 0; i < joint.count; ++i) {
        const [q, v, a] = state[moving.length];
        if (joint.type !== BALL) data.qpos[joint.position] = q;
        data.qvel[joint.at + i] = v;
        data.qacc[joint.at + i] = a;
        moving.push(joint.at + i);
      }
    }
    mujoco.mj_inverse(model, data);
    const forces = Float64Array.from(data.qfrc_inverse);
    for (let i = 0; i < model.nv; ++i) forces[i] += data.qfrc_constraint[i];
    result.forces.push(moving.map((dof) => forces[dof]));
    if (!request.loads) return;
    moving.forEach((dof, i) => { forces[dof] -= request.loads[k][i]; });
    for (const joint of joints)
      if (joint.type === FREE) forces.fill(0, joint.at, joint.at + 6);
    const rows = [];
    let open = 0;
    for (let r = 0; r < data.nefc; ++r) {
      if (handles.has(data.efc_id[r])) continue;  // all rows belong to equality constraints
      const row = Float64Array.from(data.efc_J.slice(r * model.nv, (r + 1) * model.nv));
      for (const joint of joints) if (joint.type === FREE) row.fill(0, joint.at, joint.at + 6);
      rows.push(row);
      open = Math.max(open, Math.abs(data.efc_pos[r]));
    }
    result.missing.push(Math.max(0, ...across(rows, forces).map(Math.abs)));
    result.open.push(open);
  });
  data.delete();
  model.delete();
  return result;
}

for await (const line of createInterface({input: process.stdin})) {
  let result;
  try {
    result = answer(JSON.parse(line));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    result = {error: [words, ...said].join(' ')};
  }
  console.log(JSON.stringify(result));
}
