// SPDX-License-Identifier: MIT
// The function @PLUGIN_ID@.sum: a working example, to be replaced by yours.
#include <polycodec/plugin.hpp>

using namespace polycodec;

// The sum of a list of numbers. The host has checked that there is one argument.
static Node sum(Call& call, View args, View, Builder&) {
  Meter meter(call);  // charges the call's budget for each number
  double total = 0;
  for (View number : args[0]) {
    meter.tick();
    total += number.as_double();
  }
  return Builder::real(total);
}

static constexpr const char* sum_path[] = {"@PLUGIN_ID@", "sum"};
static constexpr polycodec_function sum_function = make_function<sum>(sum_path, "the sum of a list of numbers", 1, 1);

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Functions<sum_function>)
