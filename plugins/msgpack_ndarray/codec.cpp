// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <base/length_prefix.hpp>
#include <polycodec/tolerant.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "encode.hpp"
#include "item_head.hpp"

#include <algorithm>
#include <string>

namespace polycodec::msgpack_ndarray {

Settings Settings::from(const Options& options) {
  Settings settings;
  const std::int64_t code = options.get("ext_code", std::int64_t{110});
  if (code < 0 || code > 127)
    throw Error(Status::option,
                "option 'ext_code' must be 0 to 127 (negative codes belong to msgpack), not " +
                    std::to_string(code));
  settings.ext_code = static_cast<std::int8_t>(code);

  settings.tolerant = tolerant_option(options);
  settings.lenient_utf8 = options.choice<bool>("utf8", {{"strict", false}, {"lenient", true}});
  settings.numpy_maps = options.get("numpy_maps", settings.numpy_maps);
  settings.legacy = options.get("legacy", settings.legacy);
  settings.pack_lists = options.get("pack_lists", settings.pack_lists);
  settings.documents = options.choice<Documents>(
      "documents",
      {{"auto", Documents::automatic}, {"one", Documents::one}, {"many", Documents::many}});
  return settings;
}

namespace {

bool is_map(NodeView value) {
  return value.kind() == POLYCODEC_KIND_OBJECT || value.kind() == POLYCODEC_KIND_MAP;
}

/// True for the map of an array as msgpack-numpy writes it, with keys as text or as bytes.
bool is_numpy_map(NodeView value) {
  constexpr std::uint64_t least = 4, most = 6;
  if (!is_map(value) || value.size() < least || value.size() > most) return false;
  const auto is_key = [&](std::uint64_t i, std::string_view word) {
    return text_of(value.key(i)) == word;
  };
  return is_key(0, "nd") && is_key(value.size() - 1, "data");
}

/// The same for the value or one of its first members: it is for a hint alone.
bool holds_numpy_map(NodeView value) {
  constexpr std::uint64_t most = 16;
  if (is_numpy_map(value)) return true;
  for (std::uint64_t i = 0; is_map(value) && i < value.size() && i < most; ++i)
    if (is_numpy_map(value.value(i))) return true;
  return false;
}

}  // namespace

Node MsgpackNdarray::decode(Call& call, const Input& input, Builder& out) const {
  Decoder decoder(settings_, call, input.bytes(), out);
  const polycodec_node* const root = decoder.all();
  decoder.notes().report(call);
  if (!settings_.numpy_maps && holds_numpy_map(NodeView(root)))
    call.log(
        POLYCODEC_LOG_WARNING,
        "msgpack: a map looks like an array of msgpack-numpy: the option {\"numpy_maps\": true} "
        "reads it as one");
  return *root;
}

void MsgpackNdarray::encode(const Call& call, NodeView value, Writer& out) const {
  const std::uint64_t size = msgpack_ndarray::encoded_size(settings_, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder(settings_, call, out).value(value.raw());
}

std::uint64_t MsgpackNdarray::encoded_size(const Call&, NodeView value) const {
  return msgpack_ndarray::encoded_size(settings_, value);
}

std::unique_ptr<MsgpackNdarray::StreamReader> MsgpackNdarray::open_reader(Call&) const {
  return std::make_unique<StreamReader>(settings_);
}

std::optional<Node> MsgpackNdarray::StreamReader::next(Call& call, Step& step, Builder& out) {
  std::string_view bytes = step.bytes();
  if (bytes.empty() && step.final()) return std::nullopt;
  if (!step.final()) {
    // Looking for the end first is quick and takes no memory, however often the bytes come too
    // short.
    const Scan found = scan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    call.tick((found.state == Scan::complete ? found.size : bytes.size()) / 16);
    if (found.state == Scan::incomplete) {
      if (found.wanted > call.limits().max_input_bytes)
        throw Error(Status::limit,
                    "the message announces at least " + std::to_string(found.wanted) +
                        " bytes, more than max_input_bytes (" +
                        std::to_string(call.limits().max_input_bytes) + ")",
                    0);
      step.want(found.wanted);
      return std::nullopt;
    }
    if (found.state == Scan::complete)
      bytes = bytes.substr(0, static_cast<std::size_t>(found.size));
  }
  Decoder decoder(settings_, call, bytes, out);
  const polycodec_node* root = decoder.document();
  decoder.notes().report(call);
  step.consume(decoder.position());
  return *root;
}

namespace {

constexpr std::size_t enough = 1024;

// True if the bytes are UTF-8 text, the last character of which may be cut off.
bool is_text(std::string_view bytes) {
  const std::size_t bad = validate_utf8(bytes);
  if (bad != utf8_npos && bytes.size() - bad > 3) return false;
  const auto is_control = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 && u != '\t' && u != '\n' && u != '\r' && u != '\f';
  };
  const std::string_view checked = bytes.substr(0, bad == utf8_npos ? bytes.size() : bad);
  return !checked.empty() && std::none_of(checked.begin(), checked.end(), is_control);
}

// True if an ext body starts like an array: a map with one of the four keys.
bool is_array_ext(const ItemHead& ext, const std::uint8_t* end) {
  const std::uint8_t* const body_end =
      ext.body + std::min<std::uint64_t>(ext.size, static_cast<std::uint64_t>(end - ext.body));
  ItemHead map;
  ItemHead key;
  if (ext.body == body_end || read_head(ext.body, body_end, map) != 0 || map.kind != ItemKind::map)
    return false;
  if (map.size < 4 || map.next == body_end || read_head(map.next, body_end, key) != 0) return false;
  if (key.kind != ItemKind::text && key.kind != ItemKind::binary) return false;
  const std::string_view name = key.text();
  return name == "shape" || name == "typestr" || name == "data" || name == "version";
}

bool is_container(ItemKind kind) {
  return kind == ItemKind::map || kind == ItemKind::list || kind == ItemKind::ext;
}

bool is_document(std::string_view bytes) {
  const Scan found = scan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return found.state == Scan::complete && found.size == bytes.size();
}

// The kind of length before each document, where the first one is a container that it fits.
std::string framed_by(std::string_view head, std::uint64_t total) {
  const auto prefix = find_length_prefix(head, total);
  if (!prefix || prefix->length > head.size() - prefix->size) return {};
  const std::string_view part = head.substr(prefix->size, static_cast<std::size_t>(prefix->length));
  const auto* const p = reinterpret_cast<const std::uint8_t*>(part.data());
  ItemHead first;
  if (read_head(p, p + part.size(), first) != 0 || !is_container(first.kind)) return {};
  return is_document(part) ? prefix->words : std::string();
}

// True if documents, not all of them zero, follow each other to the end of the input or the head.
bool is_stream(std::string_view head, std::uint64_t total) {
  if (head.find_first_not_of('\0') == std::string_view::npos && total > 1) return false;
  const auto* const p = reinterpret_cast<const std::uint8_t*>(head.data());
  for (std::size_t at = 0; at < head.size();) {
    const Scan found = scan(p + at, head.size() - at);
    if (found.state == Scan::incomplete) return head.size() < total && found.wanted <= total - at;
    if (found.state != Scan::complete) return false;
    at += static_cast<std::size_t>(found.size);
  }
  return true;
}

std::string kind_of(ItemKind kind) {
  return kind == ItemKind::map    ? "a map"
         : kind == ItemKind::list ? "an array"
         : kind == ItemKind::ext  ? "an ext"
                                  : "a string or bin";
}

}  // namespace

Sniff MsgpackNdarray::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  const std::uint64_t total = input.total();
  if (head.empty()) return {0, "no bytes"};
  if (is_text(head.substr(0, enough))) {
    if (is_document(head) && head.size() == total) return {20, "one document, which may be text"};
    return {2, "the bytes are text"};
  }
  if (head.starts_with("PK\x03\x04")) return {2, "a ZIP archive"};
  if (const std::string prefix = framed_by(head, total); !prefix.empty())
    return {4, "frames, with " + prefix + ", before each document"};
  const auto* const p = reinterpret_cast<const std::uint8_t*>(head.data());
  const std::uint8_t* const end = p + head.size();

  ItemHead first;
  const std::uint64_t need = read_head(p, end, first);
  if (need != 0 && (first.body == nullptr || need > total)) {
    // A file that was cut short should be reported to be so, not to be of no known format: where
    // the beginning or the file's name speaks for msgpack, decoding says what is missing.
    if (first.body != nullptr && first.kind == ItemKind::ext && first.code == 110 &&
        is_array_ext(first, end))
      return {80, "an ext 110 that starts like an array and is cut off"};
    return {8, "the first item of msgpack would be cut off"};
  }
  switch (first.kind) {
    case ItemKind::reserved:
      return {0, "the first byte is never used in msgpack"};
    case ItemKind::map:
    case ItemKind::list:
      break;
    case ItemKind::ext:
      if (first.code == 110 && is_array_ext(first, end))
        return {85, "an ext 110 that starts like an array"};
      break;
    case ItemKind::text:
    case ItemKind::binary:
      break;
    default:
      if (is_stream(head, total)) return {12, "numbers and other documents, to the end"};
      return {3, "a lone number, boolean or nil, which any bytes could be"};
  }

  const Scan found = scan(p, head.size());
  if (found.state == Scan::reserved_byte)
    return {0, "byte " + std::to_string(found.size) + " is never used in msgpack"};
  if (found.state == Scan::incomplete) {
    if (found.wanted > total || total == head.size())
      return {8, "the first document of msgpack would be cut off"};
    const bool container = first.kind == ItemKind::map || first.kind == ItemKind::list;
    return {container ? 65u : 20u, kind_of(first.kind) + " whose first " +
                                       std::to_string(head.size()) + " bytes read as msgpack"};
  }
  const std::string what = kind_of(first.kind) + " of " + std::to_string(found.size) + " bytes";
  if (found.size == total) return {total > 8 ? 70u : 40u, what + ", which is the whole input"};
  if (found.size < head.size() && is_stray_document(false, p[found.size]))
    return {5, what + ", and then bytes that start no message"};
  return {found.size > 8 ? 50u : 15u, what + ", and more after it"};
}

}  // namespace polycodec::msgpack_ndarray
