// SPDX-License-Identifier: MIT
// A reference codec for arrays: a line `KARR <dtype> <unit> <bytes of an element> <byte order>
// <number of dimensions> <dimension>...`, and the elements, the last dimension innermost.
#include <polycodec/codec.hpp>
#include <polycodec/dtype.hpp>

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace polycodec;

namespace {

// mutants from here

[[noreturn]] void malformed(std::uint64_t offset, const char* what) {
  throw Error(Status::malformed, what, offset);
}

/// The numbers of the first line.
std::vector<std::uint64_t> numbers_of(Call& call, std::string_view line) {
  std::vector<std::uint64_t> numbers;
  call.tick(1 + line.size());
  const char* at = line.data() + 4;
  const char* const end = line.data() + line.size();
  while (at != end) {
    std::uint64_t number{};
    if (*at != ' ') malformed(4, "expected a space");
    const auto [next, code] = std::from_chars(at + 1, end, number);
    if (code != std::errc()) malformed(4, "expected a number");
    numbers.push_back(number);
    at = next;
  }
  return numbers;
}

class Array {
 public:
  static constexpr const char* name = "mutants.array";
  Array(Call&, const Options&) {}

  Node decode(Call& call, const Input& input, Builder& out) const {
    const std::string_view bytes = input.bytes();
    const std::uint64_t most = call.limits().max_header_bytes;
    const std::size_t line = bytes.substr(0, most).find('\n');
    if (line == bytes.npos && bytes.size() > most)
      throw Error(Status::limit, "the first line is longer than max_header_bytes");
    if (line == bytes.npos)
      throw Error(Status::truncated, "the first line is cut off", bytes.size());
    if (!bytes.starts_with("KARR")) malformed(0, "expected 'KARR'");
    const std::vector<std::uint64_t> head = numbers_of(call, bytes.substr(0, line));
    if (head.size() < 5 || head[4] != head.size() - 5 || head[4] > POLYCODEC_MAX_NDIM)
      malformed(4, "expected the dimensions");
    if (head[0] == 0 || head[0] >= POLYCODEC_DTYPE_COUNT || head[1] >= POLYCODEC_UNIT_COUNT ||
        head[3] > 1)
      malformed(4, "unknown dtype, unit or byte order");
    const auto dtype = static_cast<std::uint32_t>(head[0]);
    const std::uint32_t fixed = dtype_size(dtype);
    const std::uint64_t unit_size = dtype == POLYCODEC_DTYPE_FIXED_UTF32   ? 4
                                    : dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? 2
                                                                           : 1;
    if (head[2] == 0 || head[2] > 4096 || (fixed != 0 && head[2] != fixed) ||
        head[2] % unit_size != 0)
      malformed(4, "unexpected size of an element");
    const bool is_time =
        dtype == POLYCODEC_DTYPE_TIMESTAMP64 || dtype == POLYCODEC_DTYPE_DURATION64;
    if (!is_time && head[1] != 0) malformed(4, "only times have a unit");

    std::vector<std::int64_t> shape;
    std::uint64_t size = head[2];
    for (std::size_t i = 5; i < head.size(); ++i) {
      if (head[i] > INT64_MAX) throw Error(Status::limit, "a dimension exceeds max_elements");
      shape.push_back(static_cast<std::int64_t>(head[i]));
      if (__builtin_mul_overflow(size, head[i], &size))
        throw Error(Status::truncated, "the elements are cut off", bytes.size());
    }
    const std::string_view elements = bytes.substr(line + 1);
    if (elements.size() < size)
      throw Error(Status::truncated, "the elements are cut off", bytes.size());
    if (elements.size() > size)
      throw Error(Status::trailing, "bytes follow the elements", line + 1 + size);
    polycodec_array* const array = out.ndarray(elements, dtype, static_cast<std::uint32_t>(head[2]),
                                               shape, static_cast<std::uint8_t>(head[3]));
    array->unit = static_cast<std::uint32_t>(head[1]);
    return Builder::array(array);
  }

  void encode(Call& call, NodeView value, Writer& out) const {
    const polycodec_array& a = value.as_array();
    if (a.layout != POLYCODEC_LAYOUT_NDARRAY)
      throw Error(Status::type, "expected an array with strides");
    if (value.metadata() || a.metadata != nullptr)
      call.report_loss(LossClass::data, "$", "metadata");
    std::string head = "KARR " + std::to_string(a.dtype) + " " + std::to_string(a.unit) + " ";
    head += std::to_string(a.item_size) + " " + std::to_string(a.byte_order) + " " +
            std::to_string(a.ndim);
    for (std::uint32_t i = 0; i < a.ndim; ++i) head += " " + std::to_string(a.shape[i]);
    out.put_text(head + "\n");

    std::uint64_t count = 1;
    for (std::uint32_t i = 0; i < a.ndim; ++i) count *= static_cast<std::uint64_t>(a.shape[i]);
    put_elements(call, a, count, out);
  }

 private:
  static void put_elements(Call& call, const polycodec_array& a, std::uint64_t count, Writer& out) {
    call.tick(count * (1 + a.item_size / 16));
    std::vector<std::int64_t> at(a.ndim);
    for (std::uint64_t done = 0; done < count; ++done) {
      std::int64_t offset = 0;
      for (std::uint32_t i = 0; i < a.ndim; ++i) offset += at[i] * a.strides[i];
      out.put_bytes(static_cast<const std::byte*>(a.data) + offset, a.item_size);
      for (std::uint32_t i = a.ndim; i-- > 0;) {
        if (++at[i] < a.shape[i]) break;
        at[i] = 0;
      }
    }
  }
};

// mutants to here

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<Array>)
