// SPDX-License-Identifier: MIT
#include "codec.hpp"

namespace polycodec::awkward {

const polycodec_node* Awkward::decode(const Call&, const Input&, Builder&) const {
  throw Error(Status::unsupported, "reading is not there");
}

}  // namespace polycodec::awkward
