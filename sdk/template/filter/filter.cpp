// SPDX-License-Identifier: MIT
// Run lengths, (count, byte) pairs: a working example of a filter, to be replaced by yours.
#include <polycodec/filter.hpp>

using namespace polycodec;

class RunLengths {
 public:
  static constexpr const char* name = "@PLUGIN_ID@";
  RunLengths(Call&, const Options& options)
      : longest_(static_cast<std::uint8_t>(options.get("longest", 255))) {}

  void encode(Call& call, const Pieces& pieces, Writer& out) const {
    Meter meter(call);  // charges the call's budget for each byte
    std::uint8_t count = 0;
    char last = 0;
    const auto flush = [&] {
      if (count != 0) out.put_u8(count), out.put_u8(static_cast<std::uint8_t>(last));
    };
    for (std::size_t i = 0; i < pieces.count(); ++i)
      for (const char c : pieces[i]) {
        meter.tick();
        if (count == longest_ || (count != 0 && c != last)) flush(), count = 0;
        last = c;
        ++count;
      }
    flush();
  }

  void decode(Call& call, std::string_view bytes, std::uint64_t expected_size, Writer& out) const {
    if (bytes.size() % 2 != 0) throw Error(Status::truncated, "the last pair is cut off", bytes.size());
    Meter meter(call);
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
      const auto count = static_cast<std::uint8_t>(bytes[at]);
      if (count == 0) throw Error(Status::malformed, "a run of no bytes: a count must be 1 to 255", at);
      meter.step(count);
      out.put_fill(static_cast<std::uint8_t>(bytes[at + 1]), count);
    }
    if (expected_size != POLYCODEC_SIZE_UNKNOWN && out.position() != expected_size)
      throw Error(Status::malformed, "the runs are not as long as expected", bytes.size());
  }

 private:
  const std::uint8_t longest_;
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Filters<RunLengths>)
