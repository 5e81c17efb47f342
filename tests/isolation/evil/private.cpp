// SPDX-License-Identifier: MIT
// A plugin with a library of its own, which says the number of a value.
#include <polycodec/codec.hpp>

extern "C" int polycodec_test_private(void);

namespace {

struct Private {
  static constexpr const char* name = EVIL_ID;
  Private(polycodec::Call&, const polycodec::Options&) {}
  polycodec::Node decode(polycodec::Call&, const polycodec::Input&, polycodec::Builder&) const {
    return polycodec::Builder::integer(polycodec_test_private());
  }
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(EVIL_ID, "1.0.0", polycodec::Codecs<Private>)
