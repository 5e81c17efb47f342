// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <base/base64.hpp>

#include <bit>
#include <limits>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;
using fastbin::Kind;
using fastbin::Primitive;
using fastbin::Schema;
using fastbin::Type;

double number_of(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

/// The bits of "NaN:0x..", or of the plain NaN.
std::uint64_t nan_bits(const std::string& text, std::uint64_t plain) {
  return text == "NaN" ? plain : std::stoull(text.substr(4), nullptr, 16);
}

polycodec_node build_primitive(Primitive p, const Json& json) {
  const bool nan = json.is_string() && json.get<std::string>().starts_with("NaN");
  switch (p) {
    case Primitive::boolean:
      return Builder::boolean(json.get<bool>());
    case Primitive::float64:
      if (nan)
        return Builder::real(
            std::bit_cast<double>(nan_bits(json.get<std::string>(), 0x7ff8000000000000u)));
      return Builder::real(number_of(json));
    case Primitive::float32:
      if (nan)
        return Builder::real32(std::bit_cast<float>(
            static_cast<std::uint32_t>(nan_bits(json.get<std::string>(), 0x7fc00000u))));
      return Builder::real32(static_cast<float>(number_of(json)));
    default:
      if (is_signed(p)) return Builder::integer(json.get<std::int64_t>(), dtype_of_primitive(p));
      return Builder::unsigned_integer(json.get<std::uint64_t>(), dtype_of_primitive(p));
  }
}

polycodec_node build_text(Builder& out, const Json& json) {
  if (json.is_string()) return out.string_copy(json.get<std::string>());
  const std::string coded = json.at("base64").get<std::string>();
  std::string text(base64_decoded_bound(coded.size()), '\0');
  text.resize(base64_decode(text.data(), text.size(), coded).written);
  polycodec_node node = out.string_copy(text);
  node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

}  // namespace

fs::path fastbin_directory() {
  return fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";
}

std::vector<FastbinVector> fastbin_vectors(std::string_view subdirectory) {
  std::vector<FastbinVector> all;
  for (const auto& path : descriptions(fastbin_directory() / subdirectory)) {
    if (path.filename().string().ends_with(".schema.json")) continue;
    fs::path bin = path;
    bin.replace_extension(".bin");
    FastbinVector v;
    v.name = path.stem().string();
    v.json = Json::parse(read_file(path));
    const std::string schema = v.json.at("schema").get<std::string>();
    v.schema = read_file(fastbin_directory() / (schema + ".schema.json"));
    v.readme_schema = read_file(fastbin_directory() / (schema + ".readme.schema.json"));
    v.root = v.json.at("struct").get<std::string>();
    v.bytes = read_file(bin);
    all.push_back(std::move(v));
  }
  return all;
}

polycodec_node build_struct(Builder& out, const Schema& schema, const fastbin::Struct& s,
                            const Json& json) {
  std::vector<Member> members;
  for (const auto& f : s.fields)
    members.push_back({f.name, build_value(out, schema, f.type, json.at(f.name))});
  return out.object(members);
}

polycodec_node build_value(Builder& out, const Schema& schema, const Type& type, const Json& json) {
  switch (type.kind) {
    case Kind::primitive:
      return build_primitive(type.primitive, json);
    case Kind::text:
      return build_text(out, json);
    case Kind::enumeration:
      return json.is_string() ? out.string_copy(json.get<std::string>())
                              : build_primitive(type.primitive, json);
    case Kind::structure:
      return build_struct(out, schema, schema.struct_of(type), json);
    case Kind::vector: {
      std::vector<polycodec_node> items;
      for (const Json& item : json) items.push_back(build_value(out, schema, type.item(), item));
      return out.list(items);
    }
    default: {
      const auto index = json.at("index").get<std::size_t>();
      if (json.contains("empty"))
        return out.tagged(static_cast<std::int64_t>(index), Builder::null());
      return out.tagged(static_cast<std::int64_t>(index),
                        build_value(out, schema, type.of.at(index), json.at("value")));
    }
  }
}

}  // namespace polycodec::test
