// SPDX-License-Identifier: MIT
// Writing streams that are documents one after another.
#pragma once

#include <polycodec/codec.hpp>

namespace polycodec {

/// The stream writer of a codec whose stream is its documents one after another, with nothing
/// between or after them. It keeps a copy of the codec. For one thread.
template <class C>
class DocumentWriter {
 public:
  explicit DocumentWriter(const C& codec) : codec_(codec) {}
  void append(Call& call, NodeView value, Writer& out) const { codec_.encode(call, value, out); }
  void finish(Call&, Writer&) const noexcept {}

 private:
  const C codec_;
};

}  // namespace polycodec
