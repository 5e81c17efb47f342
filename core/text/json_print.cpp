// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/dtype_names.hpp>
#include <base/json_writer.hpp>
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>

#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"

#include <cmath>

namespace polycodec {

namespace {

/// Writes plain documents.
class JsonPrinter {
 public:
  JsonPrinter(text::TextOut& out, unsigned indent, std::uint32_t max_depth, HostMeter& meter)
      : out_(out), json_(out, indent), max_depth_(max_depth), meter_(meter) {}

  void print(NodeView value) {
    charge(4);
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
        return out_.put("null");
      case POLYCODEC_KIND_BOOLEAN:
        return out_.put(value.as_bool() ? "true" : "false");
      case POLYCODEC_KIND_SIGNED:
        return out_.put_with([&](char* p) { return text::write_signed(p, value.as_int64()); });
      case POLYCODEC_KIND_UNSIGNED:
        return out_.put_with([&](char* p) { return text::write_unsigned(p, value.as_uint64()); });
      case POLYCODEC_KIND_FLOAT:
        return print_real(value);
      case POLYCODEC_KIND_WIDE:
        return print_wide(value);
      case POLYCODEC_KIND_STRING:
        charge(value.size() / 16);
        if (!is_utf8(value.as_string())) refuse("JSON cannot hold text that is not UTF-8");
        return out_.put_quoted(value.as_string());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return print_container('[', ']', value.items(), 1);
      case POLYCODEC_KIND_OBJECT:
        return print_container('{', '}', value.entries(), 2);
      default:
        refuse("plain JSON has no notation for " + std::string(kind_name(value.node()->kind)));
    }
  }

 private:
  [[noreturn]] void refuse(std::string message) const {
    throw Error(Status::type, std::move(message)).path(path_);
  }

  void charge(std::uint64_t units) {
    try {
      meter_.tick(units);
      meter_.check_output(out_.position());
    } catch (Error& e) {
      e.path(path_);
      throw;
    }
  }

  void print_real(NodeView value) {
    if (!std::isfinite(value.as_double()))
      refuse("JSON has no number that is infinite or not a number");
    out_.put_with([&](char* p) {
      const polycodec_node& node = *value.node();
      return node.dtype == POLYCODEC_DTYPE_FLOAT32 ? text::write_float(p, node.as.f32)
             : node.dtype == POLYCODEC_DTYPE_FLOAT16
                 ? text::write_half(p, static_cast<std::uint16_t>(node.as.u64))
                 : text::write_double(p, node.as.f64);
    });
  }

  void print_wide(NodeView value) {
    if (!is_integer(value.dtype()))
      refuse("plain JSON has no notation for " + std::string(dtype_name(value.dtype())));
    text::Uint128 bits = 0;
    std::memcpy(&bits, value.node()->as.data, sizeof bits);
    out_.put_with([&](char* p) {
      return value.dtype() == POLYCODEC_DTYPE_INT128
                 ? text::write_signed128(p, static_cast<text::Int128>(bits))
                 : text::write_unsigned128(p, bits);
    });
  }

  void print_container(char open, char close, std::span<const polycodec_node> nodes,
                       std::size_t step) {
    check_depth(++depth_, max_depth_, path_);
    json_.open(open);
    const std::size_t path_size = path_.size();
    for (std::size_t i = 0; i < nodes.size(); i += step) {
      if (step == 2) {
        const std::string_view key = NodeView(&nodes[i]).as_string();
        append_key(path_, key);
        charge(key.size() / 16);
        if (!is_utf8(key)) refuse("JSON cannot hold a key that is not UTF-8");
        json_.key(key);
      } else {
        append_index(path_, i);
        json_.item();
      }
      print(NodeView(&nodes[i + step - 1]));
      path_.resize(path_size);
    }
    --depth_;
    json_.close(close);
  }

  text::TextOut& out_;
  JsonWriter json_;
  std::uint32_t max_depth_;
  HostMeter& meter_;
  std::uint32_t depth_ = 0;
  std::string path_{path_root};
};

static_assert(json_compact == JsonWriter::compact);

}  // namespace

std::string to_json(NodeView document, unsigned indent, std::uint32_t max_depth) {
  Limits limits;
  limits.max_depth = max_depth;
  HostMeter meter(document, limits);
  std::string text;
  text::TextOut out(text);
  JsonPrinter(out, indent, max_depth, meter).print(document);
  out.finish();
  return text;
}

}  // namespace polycodec
