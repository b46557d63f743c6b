#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <Eigen/Core>
#include <bit>
#include <cmath>

#include "engine/math/scalar.hpp"

namespace counterpoise {

/// Number of lanes of a Pack: the doubles that the widest vector register of the build target
/// holds.
#if defined(__AVX512F__)
inline constexpr int pack_width = 8;
#else
inline constexpr int pack_width = 4;
#endif

/// A mask with one truth value per lane, which comparisons of Packs return.
struct PackMask {
  using Bits = long long __attribute__((vector_size(pack_width * sizeof(long long))));
  Bits bits;

  friend PackMask operator&(PackMask a, PackMask b) { return {a.bits & b.bits}; }
  friend PackMask operator|(PackMask a, PackMask b) { return {a.bits | b.bits}; }
};

/// One bit for each lane, the first one lowest: set where the condition holds.
inline unsigned lane_bits(PackMask condition) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(std::bit_cast<__m512i>(condition.bits),
                                std::bit_cast<__m512i>(condition.bits));
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(condition.bits)));
#else
  unsigned bits = 0;
  for (int i = 0; i < pack_width; ++i) bits |= condition.bits[i] != 0 ? 1U << i : 0U;
  return bits;
#endif
}

/// Whether the condition holds in each of the first `count` lanes.
inline bool holds(PackMask condition, int count = pack_width) {
  const unsigned asked = (1U << count) - 1U;
  return (lane_bits(condition) & asked) == asked;
}

/// `pack_width` doubles that move together. Every operation acts lane by lane, and all but sine,
/// cosine and arctangent round as with doubles. Lanes are consecutive time samples. Models Scalar.
struct Pack {
  using Lanes = double __attribute__((vector_size(pack_width * sizeof(double))));
  Lanes value;

  Pack() : value{} {}
  Pack(double x) : value(x - Lanes{}) {}  // NOLINT(google-explicit-constructor): broadcasts
  explicit Pack(Lanes lanes_value) : value(lanes_value) {}

  double operator[](int i) const { return value[i]; }

  Pack& operator+=(Pack b) { return value += b.value, *this; }
  Pack& operator-=(Pack b) { return value -= b.value, *this; }
  Pack& operator*=(Pack b) { return value *= b.value, *this; }
  Pack& operator/=(Pack b) { return value /= b.value, *this; }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.value + b.value); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.value - b.value); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.value * b.value); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.value / b.value); }
  friend Pack operator-(Pack a) { return Pack(-a.value); }

  friend PackMask operator<(Pack a, Pack b) { return {a.value < b.value}; }
  friend PackMask operator<=(Pack a, Pack b) { return {a.value <= b.value}; }
  friend PackMask operator>(Pack a, Pack b) { return {a.value > b.value}; }
  friend PackMask operator>=(Pack a, Pack b) { return {a.value >= b.value}; }
  friend PackMask operator==(Pack a, Pack b) { return {a.value == b.value}; }
  friend PackMask operator!=(Pack a, Pack b) { return {a.value != b.value}; }
};

template <>
inline constexpr int lanes<Pack> = pack_width;

inline double lane(const Pack& x, int i) {
  return x.value[i];
}
inline void set_lane(Pack& x, int i, double value) {
  x.value[i] = value;
}

inline Pack select(PackMask condition, Pack a, Pack b) {
  return Pack(condition.bits ? a.value : b.value);
}
inline Pack smaller(Pack a, Pack b) {
  return select(b < a, b, a);
}
inline Pack larger(Pack a, Pack b) {
  return select(a < b, b, a);
}
inline Pack abs(Pack a) {
  return select(a < Pack(0.0), -a, a);
}

/// Every lane moved on by one; the first becomes `first`.
inline Pack shifted(Pack a, double first) {
#if defined(__AVX512F__)
  a.value = __builtin_shufflevector(a.value, a.value, 0, 0, 1, 2, 3, 4, 5, 6);
#else
  a.value = __builtin_shufflevector(a.value, a.value, 0, 0, 1, 2);
#endif
  a.value[0] = first;
  return a;
}

template <class Function>
Pack each_lane(Pack a, Function function) {
  Pack result;
  for (int i = 0; i < pack_width; ++i) result.value[i] = function(a.value[i]);
  return result;
}
inline Pack sqrt(Pack a) {
  return each_lane(a, [](double x) { return std::sqrt(x); });
}
inline Pack near_reciprocal_root(Pack a) {
  const auto bits = std::bit_cast<PackMask::Bits>(a.value);
  return Pack(std::bit_cast<Pack::Lanes>(reciprocal_root_bits - (bits >> 1)));
}
/// Accurate to 1 ulp. Doubles use the C library's functions, so that lanes and doubles may differ
/// in the last digit.
Pack sin(Pack a);
Pack cos(Pack a);
Pack atan2(Pack y, Pack x);
void sincos(Pack a, Pack& sine, Pack& cosine);

}  // namespace counterpoise

namespace Eigen {

template <>
struct NumTraits<counterpoise::Pack> : GenericNumTraits<counterpoise::Pack> {
  using Real = counterpoise::Pack;
  using NonInteger = counterpoise::Pack;
  using Nested = counterpoise::Pack;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

template <class Operation>
struct ScalarBinaryOpTraits<counterpoise::Pack, double, Operation> {
  using ReturnType = counterpoise::Pack;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, counterpoise::Pack, Operation> {
  using ReturnType = counterpoise::Pack;
};

}  // namespace Eigen
