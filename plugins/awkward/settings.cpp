// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <base/pattern.hpp>
#include <model/type/build.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "codec.hpp"

#include <libdeflate.h>
#include <lzma.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace polycodec::awkward {
namespace {

constexpr int default_level = 6;

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(Status::option, "option " + quote(where) + " " + why);
}

CompressionRule rule_for(std::string_view method, const std::string& where) {
  CompressionRule rule;
  rule.level = default_level;
  if (method == "zlib" || method == "zlib.compress") {
    rule.method = Method::zlib;
    rule.decompressor = {"zlib", "decompress"};
  } else if (method == "lzma" || method == "lzma.compress" || method == "backports.lzma.compress") {
    rule.method = Method::lzma;
    rule.decompressor = {method.starts_with("backports") ? "backports.lzma" : "lzma", "decompress"};
  } else if (method == "none") {
    rule.method = Method::none;
  } else {
    throw Error(Status::option, "option " + quote(where) + ": unknown method " + quote(method) +
                                    " (expected 'none', 'zlib' or 'lzma')");
  }
  return rule;
}

/// What writes, and the function that the schema is to call for reading.
CompressionRule rule_of_partners(NodeView compressor, NodeView decompressor,
                                 const std::string& where, const std::string& compressor_at) {
  if (!compressor.is_string() || !decompressor.is_list())
    refuse(
        where,
        "must be a compressor such as \"zlib.compress\" and the name of its decompressor, a list");
  CompressionRule rule = rule_for(compressor.as_string(), compressor_at);
  std::vector<std::string> name;
  for (const polycodec_node& part : decompressor.items()) {
    if (!NodeView(&part).is_string()) refuse(where, "must name a decompressor by strings");
    name.emplace_back(NodeView(&part).as_string());
  }
  const std::vector<std::string> zlib{"zlib", "decompress"}, lzma{"lzma", "decompress"},
      old_lzma{"backports.lzma", "decompress"};
  const bool partners = rule.method == Method::zlib
                            ? name == zlib
                            : rule.method == Method::lzma && (name == lzma || name == old_lzma);
  if (!partners) refuse(where, "names a decompressor that does not undo its compressor");
  rule.decompressor = std::move(name);
  return rule;
}

/// [compressor, [module, function]]
CompressionRule pair_rule(NodeView pair, const std::string& where) {
  if (!pair.is_list() || pair.size() != 2)
    refuse(where, "must be a compressor and the name of its decompressor");
  return rule_of_partners(pair[0], pair[1], where, where + "[0]");
}

bool is_pair(NodeView option) {
  return option.is_list() && option.items().size() == 2 && option[0].is_string() &&
         option[1].is_list();
}

std::vector<std::string> texts(NodeView option, const std::string& where) {
  std::vector<std::string> all;
  if (option.is_string()) return {std::string(option.as_string())};
  if (!option.is_list()) refuse(where, "must be a string or a list of strings");
  for (const polycodec_node& item : option.items()) all.emplace_back(NodeView(&item).as_string());
  return all;
}

CompressionRule read_rule(NodeView option, const std::string& where) {
  if (option.is_string()) return rule_for(option.as_string(), where);
  if (is_pair(option)) return pair_rule(option, where);
  if (!option.is_object())
    refuse(where, "must be a rule: an object, the name of a method, or a pair");
  CompressionRule rule;
  if (const auto pair = option.find("pair")) {
    rule = pair_rule(*pair, where + ".pair");
  } else if (option.find("enc") || option.find("dec")) {
    const auto enc = option.find("enc"), dec = option.find("dec");
    if (!enc || !dec) refuse(where, "must have both 'enc' and 'dec'");
    rule = rule_of_partners(*enc, *dec, where, where + ".enc");
  } else {
    const auto method = option.find("method");
    rule = rule_for(method ? method->as_string() : "zlib", where + ".method");
  }
  for (std::uint64_t i = 0; i < option.size(); ++i) {
    const std::string_view key = option.key(i).as_string();
    const NodeView value = option.value(i);
    const std::string at = where + "." + std::string(key);
    if (key == "min_size" || key == "minsize") {
      rule.min_size = value.as_uint64();
    } else if (key == "contexts") {
      rule.contexts = texts(value, at);
    } else if (key == "level") {
      const std::int64_t level = value.as_int64();
      if (level < -1 || level > (rule.method == Method::lzma ? 9 : 12))
        refuse(at, "is out of range");
      rule.level = level < 0 ? default_level : static_cast<int>(level);
    } else if (key == "types") {
      const std::vector<std::string> patterns = texts(value, at);
      if (std::ranges::find(patterns, "object") != patterns.end())
        continue;  // all types are objects
      for (const std::string& text : patterns) {
        try {
          rule.types.push_back(type::parse(text));
        } catch (const Error& e) {
          refuse(at, "is not a type pattern: " + e.message());
        }
      }
    } else if (key != "pair" && key != "method" && key != "enc" && key != "dec") {
      refuse(at, "is not known");
    }
  }
  return rule;
}

type::Type type_of(const BlobFacts& facts) {
  switch (facts.dtype) {
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return type::datetime(facts.unit);
    case POLYCODEC_DTYPE_DURATION64:
      return type::timedelta(facts.unit);
    case POLYCODEC_DTYPE_FIXED_BYTES:
    case POLYCODEC_DTYPE_FIXED_UTF8:
    case POLYCODEC_DTYPE_FIXED_UTF16:
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return type::fixed_bytes(std::max<std::uint32_t>(facts.item_size, 1));
    default:
      return type::scalar(facts.dtype);
  }
}

std::vector<std::byte> compress_zlib(int level, std::string_view bytes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      ::libdeflate_alloc_compressor(level), &::libdeflate_free_compressor);
  if (compressor == nullptr) throw std::bad_alloc();
  std::vector<std::byte> out(::libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  out.resize(::libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                        out.size()));
  return out;
}

std::vector<std::byte> compress_lzma(int level, std::string_view bytes) {
  std::vector<std::byte> out(::lzma_stream_buffer_bound(bytes.size()));
  std::size_t size = 0;
  const auto code =
      ::lzma_easy_buffer_encode(static_cast<std::uint32_t>(level), LZMA_CHECK_CRC64, nullptr,
                                reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  if (code != LZMA_OK) throw std::bad_alloc();
  out.resize(size);
  return out;
}

}  // namespace

CompressionPolicy::CompressionPolicy() {
  CompressionRule rule = rule_for("zlib", "compression");
  rule.level = 1;  // nine times as fast as 6, and integers get as small
  rule.min_size = 8192;
  for (const char* pattern : {"Bool", "Int", "UInt"}) rule.types.push_back(type::parse(pattern));
  for (std::uint32_t unit = 0; unit < POLYCODEC_UNIT_COUNT; ++unit)
    rule.types.push_back(type::timedelta(unit));
  rules_.push_back(std::move(rule));
}

CompressionPolicy CompressionPolicy::from(NodeView option) {
  CompressionPolicy policy;
  policy.rules_.clear();
  const std::string where = "compression";
  if (option.is_null()) return policy;
  if (option.kind() == POLYCODEC_KIND_BOOLEAN) {
    if (option.as_bool()) policy.rules_.push_back(rule_for("zlib", where));
  } else if (option.is_list() && !is_pair(option)) {
    for (std::uint64_t i = 0; i < option.items().size(); ++i)
      policy.rules_.push_back(read_rule(option[i], where + index_step(i)));
  } else {
    policy.rules_.push_back(read_rule(option, where));
  }
  return policy;
}

const CompressionRule* CompressionPolicy::choose(const BlobFacts& facts) const {
  for (const CompressionRule& rule : rules_) {
    if (facts.bytes < rule.min_size) continue;
    const auto fits_context = [&](const std::string& pattern) {
      return match_pattern(pattern, facts.context);
    };
    if (!rule.contexts.empty() && std::ranges::none_of(rule.contexts, fits_context)) continue;
    if (!rule.types.empty()) {
      const type::Type type = type_of(facts);
      if (std::ranges::none_of(
              rule.types, [&](const type::Type& pattern) { return type::matches(pattern, type); }))
        continue;
    }
    return rule.method == Method::none ? nullptr : &rule;
  }
  return nullptr;
}

std::vector<std::byte> compress(const CompressionRule& rule, std::string_view bytes) {
  return rule.method == Method::lzma ? compress_lzma(rule.level, bytes)
                                     : compress_zlib(rule.level, bytes);
}

WriteSettings WriteSettings::from(const Options& options) {
  WriteSettings settings;
  const std::string container = options.get("container", "zip");
  const bool hdf5 = container == "hdf5";
  if (hdf5) settings.names = {"/", "", "/schema.json"};
  if (container == "plain") settings.names = {"-", "", ""};
  settings.names.delimiter = options.get("delimiter", settings.names.delimiter);
  settings.names.suffix = options.get("suffix", settings.names.suffix);
  settings.names.schema_suffix = options.get("schema_suffix", settings.names.schema_suffix);
  settings.array = options.get("array", "");
  // A group of an HDF5 file needs a name; an object brings those of its members.
  settings.members = options.get("members", hdf5 && settings.array.empty());
  settings.first_id = static_cast<std::uint64_t>(options.get("first_id", std::int64_t{0}));
  if (const auto compression = options.find("compression")) {
    if (compression->node() == nullptr)
      throw Error(Status::option, "option 'compression' must be made of plain objects and lists");
    settings.compression = CompressionPolicy::from(NodeView(compression->node()));
  }
  return settings;
}

ReadSettings ReadSettings::from(const Options& options) {
  ReadSettings settings;
  if (const auto array = options.find("array")) settings.array = std::string(array->as_string());
  if (const auto suffix = options.find("schema_suffix"))
    settings.schema_suffix = std::string(suffix->as_string());
  settings.check = options.get("check", true);
  return settings;
}

}  // namespace polycodec::awkward
