#include <sleef.h>

#include <bit>

#include "engine/math/pack.hpp"

// These are SLEEF's vector functions, which keep within 1.0 ulp for every finite argument. A target
// without wide enough registers takes a Pack in parts.

namespace counterpoise {
namespace {

#if defined(__AVX512F__)
using Register = __m512d;
constexpr int register_width = 8;
constexpr auto sin_of = Sleef_sind8_u10avx512f;
constexpr auto cos_of = Sleef_cosd8_u10avx512f;
constexpr auto sincos_of = Sleef_sincosd8_u10avx512f;
constexpr auto atan2_of = Sleef_atan2d8_u10avx512f;
#elif defined(__AVX2__) && defined(__FMA__)
using Register = __m256d;
constexpr int register_width = 4;
constexpr auto sin_of = Sleef_sind4_u10avx2;
constexpr auto cos_of = Sleef_cosd4_u10avx2;
constexpr auto sincos_of = Sleef_sincosd4_u10avx2;
constexpr auto atan2_of = Sleef_atan2d4_u10avx2;
#else
using Register = __m128d;
constexpr int register_width = 2;
constexpr auto sin_of = Sleef_sind2_u10sse2;
constexpr auto cos_of = Sleef_cosd2_u10sse2;
constexpr auto sincos_of = Sleef_sincosd2_u10sse2;
constexpr auto atan2_of = Sleef_atan2d2_u10sse2;
#endif

constexpr int part_count = pack_width / register_width;

struct Parts {
  Register part[part_count];
};

Parts parts_of(Pack x) {
  return std::bit_cast<Parts>(x.value);
}
Pack joined(const Parts& parts) {
  return Pack(std::bit_cast<Pack::Lanes>(parts));
}

}  // namespace

Pack sin(Pack a) {
  Parts x = parts_of(a);
  for (Register& part : x.part) part = sin_of(part);
  return joined(x);
}

Pack cos(Pack a) {
  Parts x = parts_of(a);
  for (Register& part : x.part) part = cos_of(part);
  return joined(x);
}

void sincos(Pack a, Pack& sine, Pack& cosine) {
  const Parts x = parts_of(a);
  Parts s, c;
  for (int i = 0; i < part_count; ++i) {
    const auto both = sincos_of(x.part[i]);
    s.part[i] = both.x;
    c.part[i] = both.y;
  }
  sine = joined(s);
  cosine = joined(c);
}

Pack atan2(Pack y, Pack x) {
  const Parts ys = parts_of(y), xs = parts_of(x);
  Parts angle;
  for (int i = 0; i < part_count; ++i) angle.part[i] = atan2_of(ys.part[i], xs.part[i]);
  return joined(angle);
}

}  // namespace counterpoise
