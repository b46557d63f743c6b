#pragma once

#include <pybind11/numpy.h>

#include <utility>
#include <vector>

namespace counterpoise::python {

/// An array that reads numbers where they are; `owner` keeps them there. It cannot be written to.
inline pybind11::array_t<double> view_of(const std::vector<double>& values,
                                         const pybind11::handle& owner) {
  pybind11::array_t<double> array(static_cast<pybind11::ssize_t>(values.size()), values.data(),
                                  owner);
  pybind11::detail::array_proxy(array.ptr())->flags &=
      ~pybind11::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// An array of this shape that takes numbers over without a copy.
template <class Number>
pybind11::array_t<Number> array_of(std::vector<Number>&& values,
                                   std::vector<pybind11::ssize_t> shape) {
  auto* const moved = new std::vector<Number>(std::move(values));
  const pybind11::capsule owner(moved,
                                [](void* held) { delete static_cast<std::vector<Number>*>(held); });
  return pybind11::array_t<Number>(std::move(shape), moved->data(), owner);
}

template <class Number>
pybind11::array_t<Number> array_of(std::vector<Number>&& values) {
  const auto size = static_cast<pybind11::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

}  // namespace counterpoise::python
