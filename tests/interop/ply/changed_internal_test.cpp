// SPDX-License-Identifier: MIT
// A file that another process changes at moments that only the codec knows.
#include "codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace polycodec::test {
namespace {

using ply::Ply;

/// Another process writes the file: here at one of the moments when the codec charges its work.
struct Writing {
  std::string file;
  std::string later;
  int left;  // calls until then
};
Writing* writing = nullptr;

TEST(PlyInternal, ListsThatChangeWhileTheyAreRead) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement f 2\nproperty list uchar uchar x\n"
      "element rest 200\nproperty uchar y\nend_header\n";
  const auto with = [&](const std::string& lists) {
    return header + lists + std::string(205 - lists.size(), '\0');
  };
  const std::string begin = with(std::string("\1x\2xx", 5));
  int changed = 0;
  for (const std::string& lists : {std::string("\x64", 1), std::string(2, '\0')})
    for (int moment = 1; moment < 20; ++moment) {
      Writing now{begin, with(lists), moment};
      writing = &now;
      const TestCall call;
      call.begin(now.file.size());
      Call raw = call;
      raw.raw()->credit = 0;  // so that each charge comes here
      raw.raw()->spend = [](polycodec_call* self, std::uint64_t, polycodec_error*) {
        if (--writing->left == 0)
          std::copy(writing->later.begin(), writing->later.end(), writing->file.begin());
        self->credit = 0;
        return std::int32_t{POLYCODEC_OK};
      };
      const polycodec_input input = input_of(now.file);
      Value value;
      call.use(value.prepare(call.limits().max_memory_bytes));
      Builder out(raw);
      try {
        value.set_root(out.root(make<Ply>().decode(raw, Input(raw, &input), out)));
        validate(value.view(), {}, Validation::full);
      } catch (const Error& e) {
        changed += e.detail() == "ply.changed" ? 1 : 0;
      }
    }
  EXPECT_GE(changed, 2) << "more and fewer items than were counted";
}

}  // namespace
}  // namespace polycodec::test
