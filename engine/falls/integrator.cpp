#include "engine/falls/integrator.hpp"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace counterpoise {
namespace {

struct DeleteContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct DeleteVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct DeleteMemory {
  void operator()(void* memory) const { ERKStepFree(&memory); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, DeleteContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, DeleteVector>;

Context new_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

Vector new_vector(std::span<const double> values, const Context& context) {
  Vector vector(N_VNew_Serial(static_cast<sunindextype>(values.size()), context.get()));
  if (!vector) throw std::bad_alloc();
  std::copy(values.begin(), values.end(), N_VGetArrayPointer(vector.get()));
  return vector;
}

std::span<double> entries(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

}  // namespace

struct Integrator::Impl {
  Slope slope;
  Context context = new_context();
  Vector y = {};
  std::unique_ptr<void, DeleteMemory> memory = {};
  std::exception_ptr thrown = {};  // no exception may pass through C

  static int evaluate(realtype t, N_Vector y, N_Vector slope, void* self) {
    auto& impl = *static_cast<Impl*>(self);
    try {
      return impl.slope(t, entries(y), entries(slope)) ? 0 : 1;
    } catch (...) {
      impl.thrown = std::current_exception();
      return -1;
    }
  }
  static void say_nothing(int, const char*, const char*, char*, void*) {}
};

void Integrator::Delete::operator()(Impl* impl) const {
  delete impl;
}

Integrator::Integrator(Slope slope, double t, std::span<const double> y, double relative,
                       std::span<const double> absolute)
    : impl_(new Impl{.slope = std::move(slope)}), time_(t) {
  impl_->y = new_vector(y, impl_->context);
  impl_->memory.reset(ERKStepCreate(Impl::evaluate, t, impl_->y.get(), impl_->context.get()));
  void* memory = impl_->memory.get();
  const Vector tolerances = new_vector(absolute, impl_->context);
  constexpr long most_steps = 1'000'000;
  if (memory == nullptr || ERKStepSetUserData(memory, impl_.get()) != ARK_SUCCESS ||
      ERKStepSetErrHandlerFn(memory, Impl::say_nothing, nullptr) != ARK_SUCCESS ||
      ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8) != ARK_SUCCESS ||
      ERKStepSetMaxNumSteps(memory, most_steps) != ARK_SUCCESS ||
      ERKStepSVtolerances(memory, relative, tolerances.get()) != ARK_SUCCESS)
    throw std::bad_alloc();
}

void Integrator::reset(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), entries(impl_->y.get()).begin());
  time_ = t;
  if (ERKStepReset(impl_->memory.get(), t, impl_->y.get()) != ARK_SUCCESS) throw std::bad_alloc();
}

bool Integrator::step(double limit) {
  void* memory = impl_->memory.get();
  if (ERKStepSetStopTime(memory, limit) != ARK_SUCCESS) return false;
  const int result = ERKStepEvolve(memory, limit, impl_->y.get(), &time_, ARK_ONE_STEP);
  if (impl_->thrown) std::rethrow_exception(std::exchange(impl_->thrown, nullptr));
  return result >= 0;
}

std::span<const double> Integrator::y() const {
  return entries(impl_->y.get());
}

long Integrator::evaluations() const {
  long count = 0;
  ERKStepGetNumRhsEvals(impl_->memory.get(), &count);
  return count;
}

}  // namespace counterpoise
