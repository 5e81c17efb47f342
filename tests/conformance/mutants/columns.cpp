// SPDX-License-Identifier: MIT
// A reference codec for columns of numbers: "KCOL", the number of rows in 64 bits and of columns in
// 16, of each column its type (1: float64, 2: int32, with 128 if units follow), name and units, the
// columns one after another, and the sum of all bytes before it in 32 bits. Texts have their size
// in 8 bits before them. All numbers are little endian.
#include <polycodec/codec.hpp>
#include <polycodec/nd_array.hpp>
#include <polycodec/path.hpp>
#include <polycodec/reader.hpp>
#include <polycodec/utf.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace polycodec;

namespace {

// mutants from here

/// A sum in which each byte and its place counts.
class Sum {
 public:
  explicit Sum(const Call& call) : call_(call) {}
  void add(std::string_view bytes) {
    call_.tick(bytes.size());
    for (const char c : bytes) sum_ = sum_ * 31 + static_cast<std::uint8_t>(c);
  }
  std::uint32_t value() const { return sum_; }

 private:
  const Call call_;
  std::uint32_t sum_ = 0;
};

struct Head {
  std::uint8_t type;
  std::string_view name, units;
};

std::uint32_t dtype_of(std::uint8_t type) {
  return type == 1 ? POLYCODEC_DTYPE_FLOAT64 : POLYCODEC_DTYPE_INT32;
}

void put_le(std::string& out, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

void put_text(std::string& out, std::string_view text) {
  if (text.size() > UINT8_MAX) throw Error(Status::range, "a text of more than 255 bytes");
  put_le(out, text.size(), 1);
  out.append(text);
}

class Columns {
 public:
  static constexpr const char* name = "mutants.columns";
  Columns(Call&, const Options&) {}

  Node decode(Call& call, const Input& input, Builder& out) const {
    Reader in(input.bytes());
    if (in.bytes(4, "the magic number") != "KCOL")
      throw Error(Status::malformed, "expected 'KCOL'", 0);
    const auto rows = in.le<std::uint64_t>("the number of rows");
    const auto columns = in.le<std::uint16_t>("the number of columns");
    if (columns == 0 && rows != 0) throw Error(Status::malformed, "rows without columns", 4);
    in.require_count(columns, sizeof(Head::type), "the columns");
    call.tick(columns * 32u);
    Head* const heads = out.allocate<Head>(columns);
    for (std::uint16_t i = 0; i < columns; ++i) heads[i] = head_of(in);
    ObjectBuilder object = out.object();
    for (std::uint16_t i = 0; i < columns; ++i)
      object.push(heads[i].name, column_of(in, out, heads[i], rows));
    const std::uint64_t end = in.position();
    const auto expected = in.le<std::uint32_t>("the sum");
    in.expect_end();
    Sum sum(call);
    sum.add(input.bytes().substr(0, end));
    if (sum.value() != expected) throw Error(Status::malformed, "the sum is wrong", end);
    return object;
  }

  void encode(Call& call, View value, Writer& out) const {
    if (!value.is_object()) throw Error(Status::unsupported, "expected an object of columns");
    if (value.size() > UINT16_MAX) throw Error(Status::range, "more than 65535 columns");
    if (value.metadata() != nullptr) call.report_loss(LossClass::data, "$", "metadata");
    std::vector<ArrayView> columns;
    std::string head;
    for (std::uint64_t i = 0; i < value.size(); ++i) {
      at_step(value.name(i), [&] {
        columns.push_back(put_head(call, value, i, head));
        if (columns.back().length() != columns[0].length())
          throw Error(Status::unsupported, "the columns differ in length");
      });
    }
    std::string start = "KCOL";
    put_le(start, columns.empty() ? 0 : columns[0].length(), 8);
    put_le(start, columns.size(), 2);
    start.append(head);
    Sum sum(call);
    sum.add(start);
    out.put_text(start);
    for (const ArrayView& column : columns) {
      const std::string_view bytes = little_endian(call, column);
      sum.add(bytes);
      out.reference(bytes);
    }
    out.put_le(sum.value());
  }

 private:
  static Head head_of(Reader& in) {
    const std::uint64_t at = in.position();
    Head head = {in.u8("the type of a column"), {}, {}};
    const std::uint8_t type = head.type & 127;
    if (type != 1 && type != 2) throw Error(Status::malformed, "expected the type 1 or 2", at);
    head.name = in.bytes(in.u8("a name"), "a name");
    if (head.type & 128) head.units = in.bytes(in.u8("units"), "units");
    return head;
  }

  static Node column_of(Reader& in, Builder& out, const Head& head, std::uint64_t rows) {
    const std::uint32_t dtype = dtype_of(head.type & 127);
    const std::uint32_t size = dtype_size(dtype);
    in.require_count(rows, size, "a column");
    const std::int64_t shape[] = {static_cast<std::int64_t>(rows)};
    const std::string_view bytes = in.bytes(rows * size, "a column");
    const Node column =
        Builder::array(out.ndarray(bytes, dtype, size, shape, POLYCODEC_LITTLE_ENDIAN));
    if (head.type & 128)
      return out.annotated(column, out.object({{"units", Builder::string_view(head.units)}}));
    return column;
  }

  /// The column, whose head this writes.
  static ArrayView put_head(const Call& call, View value, std::uint64_t i, std::string& head) {
    const std::string_view of = value.name(i);
    if (!is_utf8(of)) throw Error(Status::unsupported, "a name that is not UTF-8");
    const View column = value.child(i);
    const ArrayView array = nd_array(call, column);
    if (array.ndim() != 1) throw Error(Status::unsupported, "expected a list of numbers");
    const std::uint8_t type = array.dtype() == POLYCODEC_DTYPE_FLOAT64 ? 1
                              : array.dtype() == POLYCODEC_DTYPE_INT32 ? 2
                                                                       : 0;
    if (type == 0) throw Error(Status::unsupported, "expected float64 or int32");
    const auto units = units_of(call, of, column);
    put_le(head, units ? type + 128u : type, 1);
    put_text(head, of);
    if (units) put_text(head, *units);
    return array;
  }

  static std::optional<std::string_view> units_of(const Call& call, std::string_view of,
                                                  View column) {
    std::optional<std::string_view> units;
    if (column.metadata() == nullptr) return units;
    const View metadata(column.metadata());
    for (std::uint64_t i = 0; i < metadata.size(); ++i) {
      const View note = metadata.child(i);
      if (metadata.name(i) == "units" && note.is_string() && note.metadata() == nullptr &&
          is_utf8(note.as_string())) {
        units = note.as_string();
      } else {
        call.report_loss(LossClass::data, "$" + key_step(of), "metadata other than units");
      }
    }
    return units;
  }

  /// The elements as the file has them: where they lie, or a copy in the arena of the call.
  static std::string_view little_endian(const Call& call, const ArrayView& column) {
    const bool in_order = column.raw().byte_order == POLYCODEC_LITTLE_ENDIAN;
    if (column.is_contiguous() && in_order) return column.contiguous_bytes();
    const std::uint64_t size = contiguous_size(column);
    auto* const copy = Builder(call).allocate<std::byte>(size);
    copy_elements(column, POLYCODEC_LITTLE_ENDIAN, {copy, static_cast<std::size_t>(size)});
    return {reinterpret_cast<const char*>(copy), static_cast<std::size_t>(size)};
  }
};

// mutants to here

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::Codecs<Columns>)
