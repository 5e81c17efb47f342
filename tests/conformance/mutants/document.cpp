// SPDX-License-Identifier: MIT
// A reference codec for documents: `n` null, `t` and `f` booleans, `i`, `u` and `r` numbers with
// their dtype in a byte and 8 bytes, `s` and `b` strings and bytes, `l` lists, `o` objects, each
// with their size in 32 bits.
#include <polycodec/codec.hpp>
#include <polycodec/reader.hpp>
#include <polycodec/utf.hpp>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

using namespace polycodec;

namespace {

// mutants from here

class Document {
 public:
  static constexpr const char* name = "mutants.document";
  Document(Call&, const Options&) {}

  Node decode(Call& call, const Input& input, Builder& out) const {
    Reader in(input.bytes());
    Node root = read(call, in, out, 1);
    in.expect_end();
    return root;
  }

  void encode(Call& call, NodeView value, Writer& out) const {
    check(call, value, 1);
    write(value, out);
  }

 private:
  static void enter(Call& call, std::uint32_t depth) {
    call.check_stack();
    if (depth > call.limits().max_depth) throw Error(Status::limit, "nested deeper than max_depth");
  }

  static Node read(Call& call, Reader& in, Builder& out, std::uint32_t depth) {
    enter(call, depth);
    call.tick();
    const std::uint64_t start = in.position();
    const char tag = static_cast<char>(in.u8("a tag"));
    switch (tag) {
      case 'n':
        return Builder::null();
      case 't':
        return Builder::boolean(true);
      case 'f':
        return Builder::boolean(false);
      case 'i':
      case 'u':
      case 'r':
        return read_number(in, tag, start);
      case 's':
      case 'b': {
        const std::string_view bytes = in.bytes(in.le<std::uint32_t>("a size"), "the bytes");
        return tag == 's' ? Builder::string_view(bytes) : Builder::bytes_view(bytes);
      }
      case 'l':
      case 'o':
        return read_items(call, in, out, tag, depth);
      default:
        throw Error(Status::malformed, "unknown tag", start);
    }
  }

  static Node read_number(Reader& in, char tag, std::uint64_t start) {
    const std::uint8_t dtype = in.u8("a dtype");
    const auto bits = in.le<std::uint64_t>("a number");
    if (tag == 'i' && dtype >= POLYCODEC_DTYPE_INT8 && dtype <= POLYCODEC_DTYPE_INT64) {
      const std::uint32_t free = 64 - 8 * dtype_size(dtype);
      const auto number = static_cast<std::int64_t>(bits);
      if (static_cast<std::int64_t>(bits << free) >> free == number)
        return Builder::integer(number, dtype);
    }
    if (tag == 'u' && dtype >= POLYCODEC_DTYPE_UINT8 && dtype <= POLYCODEC_DTYPE_UINT64) {
      const std::uint32_t free = 64 - 8 * dtype_size(dtype);
      if (bits << free >> free == bits) return Builder::unsigned_integer(bits, dtype);
    }
    if (tag == 'r' && dtype == POLYCODEC_DTYPE_FLOAT64)
      return Builder::real(std::bit_cast<double>(bits));
    if (tag == 'r' && dtype == POLYCODEC_DTYPE_FLOAT32 && bits >> 32 == 0)
      return Builder::real32(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    throw Error(Status::malformed, "the number does not fit its dtype", start);
  }

  static Node read_items(Call& call, Reader& in, Builder& out, char tag, std::uint32_t depth) {
    const std::uint64_t size = in.le<std::uint32_t>("a size");
    const std::uint64_t count = tag == 'o' ? 2 * size : size;
    in.require(count, "the items");
    Node* nodes = nullptr;
    const Node node = tag == 'o' ? out.object(size, &nodes) : out.list(size, &nodes);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t start = in.position();
      nodes[i] = read(call, in, out, depth + 1);
      const bool is_key = tag == 'o' && i % 2 == 0;
      if (is_key && nodes[i].kind != POLYCODEC_KIND_STRING)
        throw Error(Status::malformed, "a key is not a string", start);
    }
    return node;
  }

  /// Everything that cannot be written is found before anything is.
  static void check(Call& call, NodeView value, std::uint32_t depth) {
    enter(call, depth);
    call.tick(4);
    if (value.size() > UINT32_MAX) throw Error(Status::range, "a size exceeds 2^32");
    if (value.metadata()) call.report_loss(LossClass::data, "$", "metadata");
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
      case POLYCODEC_KIND_BOOLEAN:
      case POLYCODEC_KIND_SIGNED:
      case POLYCODEC_KIND_UNSIGNED:
        return;
      case POLYCODEC_KIND_STRING:
        if (!is_utf8(value.as_string())) throw Error(Status::unsupported, "a string is not UTF-8");
        return;
      case POLYCODEC_KIND_BINARY:
        return;
      case POLYCODEC_KIND_FLOAT:
        if (value.dtype() == POLYCODEC_DTYPE_FLOAT16)
          throw Error(Status::unsupported, "float16 has no place in the format");
        return;
      case POLYCODEC_KIND_LIST:
        for (const Node& item : value.items()) check(call, NodeView(&item), depth + 1);
        return;
      case POLYCODEC_KIND_OBJECT:
        for (const Node& item : value.entries()) check(call, NodeView(&item), depth + 1);
        return;
      default:
        throw Error(Status::unsupported, "a value of this kind has no place in the format");
    }
  }

  static void put(Writer& out, char tag, std::uint32_t dtype, std::uint64_t bits) {
    out.put_u8(static_cast<std::uint8_t>(tag));
    out.put_u8(static_cast<std::uint8_t>(dtype));
    out.put_le(bits);
  }

  static void put_size(Writer& out, char tag, std::uint64_t size) {
    out.put_u8(static_cast<std::uint8_t>(tag));
    out.put_le(static_cast<std::uint32_t>(size));
  }

  static void write(NodeView value, Writer& out) {
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
        return out.put_u8('n');
      case POLYCODEC_KIND_BOOLEAN:
        return out.put_u8(value.as_bool() ? 't' : 'f');
      case POLYCODEC_KIND_SIGNED:
        return put(out, 'i', value.dtype(), static_cast<std::uint64_t>(value.as_int64()));
      case POLYCODEC_KIND_UNSIGNED:
        return put(out, 'u', value.dtype(), value.as_uint64());
      case POLYCODEC_KIND_FLOAT:
        if (value.dtype() == POLYCODEC_DTYPE_FLOAT32)
          return put(out, 'r', value.dtype(), std::bit_cast<std::uint32_t>(value.node()->as.f32));
        return put(out, 'r', value.dtype(), std::bit_cast<std::uint64_t>(value.as_double()));
      case POLYCODEC_KIND_STRING:
        put_size(out, 's', value.size());
        return out.reference(value.as_string());
      case POLYCODEC_KIND_BINARY:
        put_size(out, 'b', value.size());
        return out.reference(value.as_bytes());
      case POLYCODEC_KIND_LIST:
        put_size(out, 'l', value.size());
        for (const Node& item : value.items()) write(NodeView(&item), out);
        return;
      default:
        put_size(out, 'o', value.size());
        for (const Node& item : value.entries()) write(NodeView(&item), out);
        return;
    }
  }
};

// mutants to here

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::Codecs<Document>)
