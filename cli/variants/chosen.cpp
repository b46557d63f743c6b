#include "cli/variants/chosen.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "results/text/printable.hpp"

// This is compiled for every processor of the family, so that an old one gets a message.

namespace counterpoise {
namespace {

struct Variant {
  const char* name;
  bool runs_here;
};

/// The widest first. The compiler's support asks the processor, and whether the system saves its
/// registers.
std::array<Variant, 3> variants() {
  __builtin_cpu_init();
  return {{{"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0},
           {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0},
           {"x86-64-v2", __builtin_cpu_supports("x86-64-v2") != 0}}};
}

std::string chosen_variant() {
  const auto all = variants();
  const auto* const widest =
      std::find_if(all.begin(), all.end(), [](const Variant& v) { return v.runs_here; });
  if (widest == all.end())
    throw std::runtime_error(
        "this processor lacks instructions of x86-64-v2, which the package is built for; build "
        "Counterpoise from its sources on this machine");
  const char* const set = std::getenv("COUNTERPOISE_ISA");
  const std::string asked = set == nullptr ? "" : set;
  if (asked.empty()) return widest->name;
  const auto* const found =
      std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.name == asked; });
  const std::string said = "COUNTERPOISE_ISA: found \"" + printable(asked) + '"';
  if (found == all.end())
    throw std::invalid_argument(said +
                                ", expected x86-64-v2, x86-64-v3 or x86-64-v4; unset it for the "
                                "widest that this processor runs, which is " +
                                widest->name);
  if (!found->runs_here)
    throw std::invalid_argument(said + ", but this processor runs at most " + widest->name +
                                "; set it to that, or unset it");
  return found->name;
}

std::string last_error() {
  const char* const words = dlerror();
  return words == nullptr ? "no such function" : words;
}

}  // namespace

VariantFunction load_variant(const std::string& folder, const std::string& library,
                             const char* function) {
  const std::string variant = chosen_variant();
  // the loader replaces $ORIGIN by the folder of what this file is linked into
  const std::string path = "$ORIGIN/" + folder + '/' + variant + '/' + library;
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const address = loaded == nullptr ? nullptr : dlsym(loaded, function);
  if (address == nullptr)
    throw std::runtime_error(last_error() + "; install the package counterpoise again");
  return {address, variant};
}

}  // namespace counterpoise
