// SPDX-License-Identifier: MIT
// What the tests of polycodec.hpp share. They link libpolycodec and GoogleTest alone.
#pragma once

#include <polycodec/polycodec.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace polycodec::test {

inline const Registry& registry() {
  static const Registry opened = Registry::open({.flags = 0});
  return opened;
}
inline Codec msgpack() {
  return registry().codec("msgpack-ndarray");
}

/// The error that `body` throws.
template <class Body>
Error error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Status::ok, "");
}

/// A path in a directory of this process, which goes with it.
inline std::string file(const std::string& name) {
  static const struct Directory {
    Directory() { std::filesystem::create_directories(path); }
    ~Directory() { std::filesystem::remove_all(path); }
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("polycodec-hpp-" + std::to_string(::getpid()));
  } directory;
  return directory.path / name;
}

/// {"x": [0.5, 1.5, ..], "id": [0, 1, ..]} as a record of columns of `n` rows.
inline Value table(std::size_t n = 3) {
  return Value::build([n](Builder& out) {
    double* const x = out.allocate<double>(n);
    std::int32_t* const id = out.allocate<std::int32_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<double>(i) + 0.5;
      id[i] = static_cast<std::int32_t>(i);
    }
    const std::string_view names[] = {"x", "id"};
    const polycodec_array* const columns[] = {out.vector(std::span<const double>(x, n)),
                                              out.vector(std::span<const std::int32_t>(id, n))};
    return out.object({{"rows", Builder::array(out.record(n, names, columns))}});
  });
}

}  // namespace polycodec::test
