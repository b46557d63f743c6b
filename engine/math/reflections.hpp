#pragma once

#include <cmath>
#include <cstddef>

namespace counterpoise {

/// Makes the reflection 1 - share * v v' that takes x (`rows` long) to a multiple of the first unit
/// vector: x becomes that number, followed by v without its first entry, which is 1. Returns the
/// share, which is 0 where all but the first entry of x are.
inline double make_reflection(double* x, std::ptrdiff_t rows) {
  double tail = 0.0;
  for (std::ptrdiff_t i = 1; i < rows; ++i) tail += x[i] * x[i];
  if (tail == 0.0) return 0.0;
  const double norm = std::sqrt(x[0] * x[0] + tail), pivot = x[0] >= 0.0 ? -norm : norm;
  const double inverse = 1.0 / (x[0] - pivot), share = (pivot - x[0]) / pivot;
  for (std::ptrdiff_t i = 1; i < rows; ++i) x[i] *= inverse;
  x[0] = pivot;
  return share;
}

/// Applies the reflection with v[0] = 1 to `count` vectors that lie `stride` apart. Several at once
/// hide the time from one addition of a sum to the next.
template <int count>
void reflect(const double* v, double share, std::ptrdiff_t rows, double* x, std::ptrdiff_t stride) {
  double sum[count];
  for (int c = 0; c < count; ++c) sum[c] = x[c * stride];
  for (std::ptrdiff_t i = 1; i < rows; ++i)
    for (int c = 0; c < count; ++c) sum[c] += v[i] * x[c * stride + i];
  for (int c = 0; c < count; ++c) sum[c] *= share;
  for (int c = 0; c < count; ++c) x[c * stride] -= sum[c];
  for (std::ptrdiff_t i = 1; i < rows; ++i)
    for (int c = 0; c < count; ++c) x[c * stride + i] -= v[i] * sum[c];
}

/// The same for any number of vectors.
inline void reflect_all(const double* v, double share, std::ptrdiff_t rows, double* x,
                        std::ptrdiff_t stride, std::ptrdiff_t count) {
  if (share == 0.0) return;
  std::ptrdiff_t c = 0;
  for (; c + 3 < count; c += 4) reflect<4>(v, share, rows, x + c * stride, stride);
  for (; c + 1 < count; c += 2) reflect<2>(v, share, rows, x + c * stride, stride);
  if (c < count) reflect<1>(v, share, rows, x + c * stride, stride);
}

}  // namespace counterpoise
