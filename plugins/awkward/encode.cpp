// SPDX-License-Identifier: MIT
#include "codec.hpp"

namespace polycodec::awkward {

void Awkward::encode(const Call&, View, Writer&) const {
  throw Error(Status::unsupported, "writing is not there");
}

}  // namespace polycodec::awkward
