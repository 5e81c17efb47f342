// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/base64.hpp>
#include <base/contiguous.hpp>
#include <base/memory_sink.hpp>
#include <base/real_text.hpp>

#include <cmath>

namespace polycodec::yggdrasil {

void Encoder::value(const polycodec_node* root) {
  try {
    node(root, 0);
  } catch (const LossRefused&) {
    // The error names all losses: all of the value is written once more, to nowhere.
    Losses losses;
    written(state_.call, [&](Writer& out) {
      Encoder search(state_.settings, state_.call, out);
      search.state_.gathering = &losses;
      search.value(root);
    });
    losses.settle(state_.call, "yggdrasil", "yggdrasil.lossy");
  } catch (const Error& e) {
    // Errors of the sink (a limit, no memory) have no place in the value.
    if (e.code() == Status::limit && e.offset() != Error::no_offset) throw;
    if (e.path().starts_with('$')) throw Error(e).path(state_.path() + e.path().substr(1));
    throw Error(e).path(state_.path() + e.path());
  }
}

void Encoder::real(const polycodec_node& node) {
  const double value = node.as.f64;
  if (std::isfinite(value)) [[likely]] {
    char* const to = reinterpret_cast<char*>(state_.out.reserve(max_real_size));
    state_.out.commit(
        static_cast<std::uint64_t>(print_real(to, value, state_.settings.python) - to));
    return;
  }
  // A bare NaN has no bits of its own. In the old dialects the header says of all such numbers that
  // they are plain.
  const bool usual = !std::isnan(value) || node.as.u64 == 0x7ff8000000000000;
  if ((state_.settings.bare_nonfinite && usual) || state_.plain ||
      state_.settings.dialect != Dialect::current)
    return state_.out.put_text(std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
  std::byte bits[8];
  store(bits, node.as.u64, std::endian::little);
  leaves_.scalar(POLYCODEC_DTYPE_FLOAT64, bits, nullptr);
}

// The name of a member, which is never a typed leaf.
void Encoder::key(const polycodec_node& node) {
  const std::string_view text(static_cast<const char*>(node.as.data),
                              static_cast<std::size_t>(polycodec_node_size(&node)));
  state_.check_text(text, node.dtype == POLYCODEC_STRING_LENIENT);
  put_string(state_.out, state_.settings, text, true);
}

void Encoder::text(std::string_view text, bool lenient, const polycodec_node* attributes) {
  state_.check_text(text, lenient);
  if (!state_.plain && ((attributes != nullptr && polycodec_node_size(attributes) != 0) ||
                        (looks_typed(text) && state_.settings.dialect != Dialect::legacy)))
      [[unlikely]]
    return leaves_.text(text, attributes);
  put_string(state_.out, state_.settings, text);
}

std::uint64_t Encoder::size_of(const Settings& settings, const Call& call, NodeView value) {
  if (!value.is_array() || settings.dialect == Dialect::legacy) return POLYCODEC_SIZE_UNKNOWN;
  const polycodec_array& array = value.as_array();
  if (array.layout != POLYCODEC_LAYOUT_NDARRAY || array.ndim == 0 || !has_subtype(array.dtype))
    return POLYCODEC_SIZE_UNKNOWN;
  MemorySink sink(UINT64_MAX);
  Writer writer(sink.abi());
  Writing state(settings, call, writer);
  Losses losses;  // encoding says what is lost
  state.gathering = &losses;
  LeafWriter leaves(state);
  leaves.leave_out_data();
  const auto attributes = value.metadata();
  leaves.array(array, attributes ? attributes->node() : array.metadata);
  writer.flush();
  return sink.text().size() + base64_encoded_size(contiguous_size(array));
}

std::string json_of(const Writing& around, const polycodec_node& value, std::uint64_t depth,
                    std::string_view part, bool plain) {
  return written(around.call, [&](Writer& out) {
    Encoder encoder(around.settings, around.call, out);
    encoder.state_.around = &around;
    encoder.state_.part = part;
    encoder.state_.gathering = around.gathering;
    encoder.state_.plain = plain;
    encoder.node(&value, depth);
  });
}

}  // namespace polycodec::yggdrasil
