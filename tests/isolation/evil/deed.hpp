// SPDX-License-Identifier: MIT
// What the evil plugin does: the input names a deed.
#pragma once

#include <polycodec/codec.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace evil {

using namespace polycodec;

/// A deed returns a value if the worker outlives it.
struct Deed {
  std::string_view name;
  Node (*run)(Call& call, std::string_view input, Builder& out);
};

/// Crashes, exits and endless loops.
std::span<const Deed> faults();
/// System calls that a worker may not make.
std::span<const Deed> forbidden_calls();
/// Values that lie about their memory.
std::span<const Deed> values();
/// Misuse of descriptors: the control socket is among them.
std::span<const Deed> descriptors();
/// Memory, output and credit without end.
std::span<const Deed> hogs();

/// A value of some hundred bytes in the arena.
Node good_value(Builder& out);

/// Calls `use` with each open descriptor but the standard ones.
template <class Use>
void each_descriptor(Use&& use) {
  constexpr int most = 64;  // the limit of a worker
  for (int fd = 3; fd < most; ++fd) use(fd);
}

}  // namespace evil
