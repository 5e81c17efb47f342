// SPDX-License-Identifier: MIT
#include "registry/codec/check_written.hpp"

#include <model/mesh/convert.hpp>
#include <polycodec/quote.hpp>

#include "core/call/budget.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/store/open.hpp"
#include "core/text/text.hpp"
#include "core/value/arena.hpp"

#include <algorithm>
#include <cctype>
#include <new>
#include <utility>

namespace polycodec {
namespace {

/// A path without the indices of items: those of a loss may stand for all rows of a column.
std::string without_indices(std::string_view path) {
  std::string plain;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '[') {
      std::size_t end = i + 1;
      while (end < path.size() &&
             (std::isdigit(static_cast<unsigned char>(path[end])) != 0 || path[end] == '*'))
        ++end;
      if (end < path.size() && path[end] == ']') {
        i = end;
        continue;
      }
    }
    plain += path[i];
  }
  return plain;
}

/// True if `path` is `outer` or a part of it.
bool is_within(std::string_view path, std::string_view outer) {
  return path.starts_with(outer) &&
         (path.size() == outer.size() ||
          std::string_view(".[<").find(path[outer.size()]) != std::string_view::npos);
}

/// What is kept of a mesh. Formats of meshes write other members than those that they read, by
/// rules of their own (docs/mesh.md), so that it is the meshes that are compared.
void compare_meshes(NodeView before, NodeView after, const CallOptions& call, Check& check) {
  Arena arena(call.limits->memory_for(UINT64_MAX), call.budget.get());
  Builder out(arena.abi());
  const auto mesh = [&](NodeView value) -> std::optional<polycodec_node> {
    Losses ignored;
    const auto found = mesh::mesh_of(View(value), out, ignored);
    return found ? std::optional(mesh::to_value(*found, out)) : std::nullopt;
  };
  check.kept = Kept::unknown;
  check.reason = "the format writes meshes by rules of its own";
  check.difference.reset();
  const auto b = mesh(after);
  const auto a = b ? mesh(before) : std::nullopt;
  if (!a) return;
  KeptValue found = compare_kept(NodeView(&*a), NodeView(&*b), *call.limits, call.budget,
                                 [](std::string_view, bool) { return false; });
  if (found.kept == Kept::different) {
    check.reason += "; as meshes they differ in " + found.difference->path + " (" +
                    found.difference->reason + ")";
    return;
  }
  check = {found.kept, "", std::nullopt};
}

Error wrong_output(const std::string& why, const Written& written) {
  return Error(Status::internal, why + ". This is a fault of the codec " + quote(written.codec) +
                                     ", please report it; " + quote_path(written.name) +
                                     " was not written; use no POLYCODEC_CALL_COMPARE to write it")
      .codec(written.codec)
      .detail("convert.different");
}

}  // namespace

bool is_model(const CodecInfo* codec) {
  return codec != nullptr && std::ranges::any_of(codec->media_types, [](const auto& media_type) {
           return media_type.starts_with("model/");
         });
}

Covers covers_of(const std::vector<std::string>& lost) {
  std::vector<std::string> known;
  for (const std::string& path : lost) known.push_back(without_indices(path));
  return [known = std::move(known)](std::string_view path, bool is_missing) {
    const std::string at = without_indices(path);
    return std::ranges::any_of(known, [&](const std::string& one) {
      return is_within(at, one) || (!is_missing && is_within(one, at));
    });
  };
}

void settle_kept(const KeptValue& found, const Written& written, const CallOptions& call,
                 const std::function<void(const Retyped& member)>& hear) {
  if (!found.is_covered)
    throw wrong_output("what was written is not what is read back: " + found.difference->reason,
                       written)
        .path(found.difference->path);
  // A host that allows no note wants no loss at all.
  if (!found.retyped.empty() && (call.losses & losses_of(LossClass::note)) == 0)
    throw Error(Status::unsupported,
                "the output would have " + quote(found.retyped[0].to) + " for " +
                    quote(found.retyped[0].from) +
                    ", and the call allows no loss of the class "
                    "retyped: write it in a format that has the type, or allow the loss")
        .codec(written.codec)
        .path(found.retyped[0].path)
        .detail("convert.retyped");
  for (const Retyped& member : found.retyped) hear(member);
}

void fail_read_back(const Error& error, const Written& written) {
  switch (error.code()) {
    case Status::limit:
    case Status::memory:
    case Status::io:
    case Status::cancelled:
    case Status::denied:
    case Status::not_found:
      throw Error(error);
    default:
      throw wrong_output("what was written cannot be read back: " + error.describe(), written)
          .path(error.path())
          .offset(error.offset());
  }
}

bool is_of_kept(const Error& error) noexcept {
  return error.detail() == "convert.different" || error.detail() == "convert.retyped";
}

Check check_written(const Registry& registry, NodeView value, const Written& written,
                    const CallOptions& call) try {
  const CodecInfo* const codec = registry.find(written.codec);
  if (codec != nullptr && !codec->can_decode)
    return {Kept::unknown, quote(written.codec) + " cannot be read", std::nullopt};
  ReadOptions reading;
  static_cast<CallOptions&>(reading) = call;
  const Limits limits = call.limits ? *call.limits : registry.options().limits;
  const Value codec_options =
      written.options.empty() ? Value() : parse_json(written.options, limits);
  reading.limits = limits;
  reading.projection = {};
  reading.member.clear();
  reading.losses = all_losses;  // what reading leaves out, the comparison finds
  reading.on_loss = [](LossClass, std::string_view, std::string_view) {};
  reading.codec = written.codec;
  reading.options = codec_options.view();
  reading.filters = written.filters;
  reading.companions = false;
  Limits bounds = limits;
  bounds.max_input_bytes = UINT64_MAX;  // it was bounded when it was written
  const Source output = open_source(written.file, bounds);
  const std::uint64_t allowed = reading.budget ? reading.budget->max_work() : 0;
  const Read back = [&] {
    try {
      return registry.read(output, reading);
    } catch (const Error& e) {
      fail_read_back(e, written);
    }
  }();
  // The output earns nothing: it may be many times as large as the file that pays for all.
  if (reading.budget) reading.budget->spend(reading.budget->max_work() - allowed);

  const KeptValue found =
      compare_kept(value, back.value.view(), limits, reading.budget, covers_of(written.lost));
  if (!found.is_covered && is_model(codec)) {
    if (output.is_mapped()) posix::release_pages(output.bytes());
    Check meshes;
    compare_meshes(value, back.value.view(), reading, meshes);
    return meshes;
  }
  settle_kept(found, written, call, [&](const Retyped& member) {
    if (call.on_loss)
      call.on_loss(LossClass::retyped, member.path, member.from + " -> " + member.to);
  });
  return {found.kept, "", found.difference};
} catch (const Error& e) {
  if (e.code() == Status::cancelled || is_of_kept(e)) throw;
  return {Kept::unknown, e.describe(), std::nullopt};
} catch (const std::bad_alloc&) {
  return {Kept::unknown, "out of memory", std::nullopt};
}

}  // namespace polycodec
