// SPDX-License-Identifier: MIT
#include "registry/codec/unpack.hpp"

#include <polycodec/quote.hpp>

#include "core/call/advice.hpp"
#include "core/io/sink_state.hpp"
#include "core/value/arena.hpp"
#include "registry/codec/output_regions.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/instance.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

/// The filter with the best magic number of these bytes; null without one, or where a codec has one
/// that is as good.
const CodecSlot* compression_of(const Catalog& catalog, std::string_view bytes) {
  const CodecInfo* best = nullptr;
  std::uint32_t score = 0;
  for (const CodecInfo& filter : catalog.of_kind(Kind::filter)) {
    const std::uint32_t own = filter.can_decode ? magic_score_of(filter, bytes) : 0;
    if (own > score) best = &filter, score = own;
  }
  if (best == nullptr) return nullptr;
  for (const CodecInfo& codec : catalog.of_kind(Kind::codec))
    if (magic_score_of(codec, bytes) >= score) return nullptr;
  return &catalog.slot(*best);
}

std::string filter_json(const CodecInfo& filter) {
  return "{\"id\": \"" + filter.name + "\"}";  // names need no escapes
}

Error layers_error(const std::string& what, const char* action) {
  return Error(Status::unsupported, what + ": there may be " + std::to_string(max_layers) +
                                        " layers of compression; " + action)
      .detail("filter.layers");
}

std::string_view without_extension(const CodecInfo& filter, std::string_view name) {
  for (const std::string& extension : filter.extensions)
    if (has_extension(extension, name)) return name.substr(0, name.size() - extension.size());
  return name;
}

bool is_about_bytes(Status status) noexcept {
  return status == Status::truncated || status == Status::trailing || status == Status::malformed ||
         status == Status::unsupported || status == Status::ambiguous || status == Status::range;
}

}  // namespace

Error Unpacked::explain(const Error& error) const {
  if (advice.empty() || (!is_about_bytes(error.code()) && error.offset() == Error::no_offset))
    return error;
  return with_advice(error, advice);
}

bool has_filters(const std::string& list) {
  return list.find_first_not_of(" \t\r\n[]") != std::string::npos;
}

std::string join_filters(const std::string& first, const std::string& second) {
  if (!has_filters(second)) return first;
  if (!has_filters(first)) return second;
  return first.substr(0, first.rfind(']')) + ", " + second.substr(second.find('[') + 1);
}

Source undo_filter(const CallTerms& terms, const std::shared_ptr<const FilterInstance>& filter,
                   const Source& from, std::string name) {
  struct Undone {
    std::shared_ptr<const FilterInstance> filter;  // what was adopted may be of its plugin
    Source before;                                 // what was referenced
    BufferSink sink;
    Undone(std::shared_ptr<const FilterInstance> by, const Source& of)
        : filter(std::move(by)), before(of) {}
  };
  Budget& budget = terms.budget;
  auto made = std::make_shared<Undone>(filter, from);
  made->sink.set_max_bytes(budget.max_memory() - std::min(budget.max_memory(), budget.memory()),
                           "max_memory_bytes");
  Arena scratch(UINT64_MAX, &budget);
  CallContext call(terms, scratch.abi());
  const polycodec_bytes packed = to_bytes(from.bytes());
  const OutputRegions regions(std::span(&packed, 1), scratch, *filter);
  made->sink.state().set_regions(&regions);
  filter->decode(call, from.bytes(), made->sink.abi());
  made->sink.state().set_regions(nullptr);
  const std::string_view bytes = made->sink.view();
  if (!budget.take_memory(bytes.size()))
    throw Error(Status::limit, "the bytes take more memory than allowed: raise max_memory_bytes")
        .codec(filter->info().name);
  budget.add_filtered(bytes.size());
  // A filter may hand on bytes of its input as they are.
  const bool is_own = region_around(from.bytes(), bytes.data(), bytes.size()).empty();
  return Source::derived(bytes, made, std::move(name), is_own || from.is_stable());
}

Unpacked unpack(const Session& session, const Source& source, const DecodeOptions& options) {
  Unpacked inner{source};
  std::string layers;
  for (std::size_t layer = 0; inner.source.has_bytes() && !inner.source.store(); ++layer) {
    const CodecSlot* const slot = compression_of(session.catalog, inner.source.bytes());
    if (slot == nullptr) break;
    const CodecInfo& info = *slot->info;
    const std::string_view name = inner.source.name();
    const std::string plain(without_extension(info, name));
    const bool is_named = plain.size() != name.size();
    if (!options.codec.empty() && !is_named) {
      inner.advice = (inner.advice.empty() ? "note" : inner.advice + ", and") +
                     std::string(" that the bytes begin as those of ") + info.name +
                     " do: name no codec to unpack them";
      break;
    }
    if (layer == max_layers)
      throw layers_error("what " + layers + " unpacks is compressed with " + info.name,
                         "undo the outer ones with other programs");
    try {
      if (!slot->decode_refusal.empty())
        throw Error(Status::denied, slot->decode_refusal).codec(info.name);
      const CallTerms terms(session, options);
      if (layer == 0) terms.budget.add_input(source.physical_bytes());
      inner.source = undo_filter(terms, session.open_filter(*slot, {}, OptionsFrom::host),
                                 inner.source, plain);
    } catch (const Error& e) {
      if (e.code() == Status::denied || e.code() == Status::plugin)
        throw with_advice(
            e, "so what is compressed with " + info.name + " is not read: unpack it first");
      throw inner.explain(e);
    }
    inner.filters = join_filters("[" + filter_json(info) + "]", inner.filters);
    layers += (layers.empty() ? "" : " and then ") + info.name;
    inner.advice = "note that bytes are counted in what " + layers + " unpacks" +
                   (source.name().empty() ? "" : " of " + quote_path(source.name()));
  }
  return inner;
}

void refuse_compressed(const Session& session, const Source& source) {
  const CodecSlot* const slot =
      source.has_bytes() ? compression_of(session.catalog, source.bytes()) : nullptr;
  const std::string_view name = source.name();
  if (slot == nullptr || without_extension(*slot->info, name).size() == name.size()) return;
  throw Error(Status::unsupported,
              quote_path(name) + " is compressed with " + slot->info->name +
                  ", and a stream is read as it comes: read all of it at once, or give the stream "
                  "the bytes that " +
                  slot->info->name + " unpacks");
}

PlainName plain_name(const Catalog& catalog, std::string_view name) {
  PlainName plain{std::string(name)};
  const auto ends = [&](const CodecInfo& info) {
    return without_extension(info, plain.name).size() != plain.name.size();
  };
  for (std::size_t layer = 0;; ++layer) {
    if (std::ranges::any_of(catalog.of_kind(Kind::codec), ends)) return plain;
    const auto filters = catalog.of_kind(Kind::filter);
    const auto found = std::ranges::find_if(filters, ends);
    if (found == filters.end()) return plain;
    if (layer == max_layers)
      throw layers_error(quote_path(name) + " has too many extensions", "leave the last ones out");
    plain.filters = join_filters("[" + filter_json(*found) + "]", plain.filters);
    plain.name = without_extension(*found, plain.name);
  }
}

}  // namespace polycodec
