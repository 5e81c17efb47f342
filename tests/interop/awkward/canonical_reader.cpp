// SPDX-License-Identifier: MIT
#include "canonical_reader.hpp"

#include "hex.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace polycodec::test {
namespace {

using Json = CanonicalReader::Json;

void require(bool condition, const std::string& rule) {
  if (!condition) throw std::runtime_error("canonical form: " + rule);
}

template <class T>
T load(const char* p, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  return std::bit_cast<T>(bytes);
}

Json real(double value) {
  if (std::isnan(value)) return Json{{"$float", "nan"}};
  if (std::isinf(value)) return Json{{"$float", value < 0 ? "-inf" : "inf"}};
  return value;
}

Json raw(const char* p, std::size_t size) {
  return Json{{"$bytes", to_hex(std::string_view(p, size))}};
}

struct Dtype {
  char code;
  std::size_t size;
  bool swap = false;
};

Dtype dtype_of(std::string name) {
  static const std::map<std::string, Dtype> names = {
      {"bool", {'?', 1}},      {"int8", {'i', 1}},       {"int16", {'i', 2}},
      {"int32", {'i', 4}},     {"int64", {'i', 8}},      {"uint8", {'u', 1}},
      {"uint16", {'u', 2}},    {"uint32", {'u', 4}},     {"uint64", {'u', 8}},
      {"float32", {'f', 4}},   {"float64", {'f', 8}},    {"float16", {'V', 2}},
      {"complex64", {'c', 8}}, {"complex128", {'c', 16}}};
  if (const auto found = names.find(name); found != names.end()) return found->second;
  if (name.starts_with("datetime64") || name.starts_with("timedelta64")) return {'i', 8};
  Dtype dtype{};
  if (name.front() == '>' || name.front() == '<' || name.front() == '|') {
    dtype.swap = name.front() == '>';
    name.erase(0, 1);
  }
  require(!name.empty() && std::string("iufcVSUmM").find(name[0]) != std::string::npos,
          "unknown dtype " + name);
  dtype.code = name[0] == 'm' || name[0] == 'M' ? 'i' : name[0];
  dtype.size = std::stoul(name.substr(1)) * (name[0] == 'U' ? 4 : 1);
  return dtype;
}

Json element(const Dtype& d, const char* p) {
  switch (d.code) {
    case '?':
      return *p != 0;
    case 'i':
      return d.size == 1   ? Json(load<std::int8_t>(p, d.swap))
             : d.size == 2 ? Json(load<std::int16_t>(p, d.swap))
             : d.size == 4 ? Json(load<std::int32_t>(p, d.swap))
                           : Json(load<std::int64_t>(p, d.swap));
    case 'u':
      return d.size == 1   ? Json(load<std::uint8_t>(p, d.swap))
             : d.size == 2 ? Json(load<std::uint16_t>(p, d.swap))
             : d.size == 4 ? Json(load<std::uint32_t>(p, d.swap))
                           : Json(load<std::uint64_t>(p, d.swap));
    case 'f':
      return real(d.size == 4 ? static_cast<double>(load<float>(p, d.swap))
                              : load<double>(p, d.swap));
    default:
      return raw(p, d.size);
  }
}

Json nested(const Dtype& d, const std::vector<std::size_t>& shape, std::size_t axis,
            const char*& p) {
  if (axis == shape.size()) {
    Json value = element(d, p);
    p += d.size;
    return value;
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < shape[axis]; ++i) list.push_back(nested(d, shape, axis + 1, p));
  return list;
}

std::string inflated(const std::string& packed) {
  std::string out;
  z_stream stream{};
  inflateInit(&stream);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    char part[4096];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(part, sizeof part - stream.avail_out);
  }
  inflateEnd(&stream);
  require(status == Z_STREAM_END && stream.avail_in == 0, "a compressed blob is one zlib stream");
  return out;
}

}  // namespace

CanonicalReader::CanonicalReader(const Blobs& blobs) {
  for (const auto& [name, content] : blobs)
    require(blobs_.emplace(name, content).second, "the blob '" + name + "' is written once");
}

Json CanonicalReader::read(const std::string& schema) {
  const auto found = blobs_.find(schema);
  require(found != blobs_.end(), "there is a schema called '" + schema + "'");
  const std::string& text = found->second;
  require(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }),
          "ASCII");
  schema_ = Json::parse(text);
  require(schema_.contains("awkward0") && schema_.contains("schema"),
          "a signature and an expression");
  if (schema_.contains("prefix")) {
    prefix_ = schema_["prefix"];
    require(!prefix_.empty(), "an empty prefix is not written");
  }
  Json value = evaluate(schema_["schema"], false);
  for (const auto& [name, content] : blobs_)
    require(name == schema || !name.starts_with(prefix_) || read_.contains(name),
            "the blob '" + name + "' is used");
  return value;
}

std::string CanonicalReader::buffer(const Json& e) {
  if (e.contains("call")) {
    require(e["call"] == Json({"zlib", "decompress"}) && e["args"].size() == 1,
            "zlib is the only compression");
    return inflated(buffer(e["args"][0]));
  }
  const std::string name = prefix_ + e.at("read").get<std::string>();
  require(blobs_.contains(name), "the blob '" + name + "' is there");
  read_.insert(name);
  return blobs_[name];
}

Json CanonicalReader::frombuffer(const Json& args) {
  require(args.size() == 3 && args[1].contains("dtype") && args[2].contains("json"),
          "frombuffer has three arguments");
  const std::string bytes = buffer(args[0]);
  const Json& dtype = args[1]["dtype"];
  std::vector<std::size_t> shape{args[2]["json"].get<std::size_t>()};
  if (dtype.is_array()) {
    require(dtype.size() == 2 && dtype[0].is_string() && dtype[1].is_array(),
            "a dtype is a name, or name and shape");
    for (const Json& extent : dtype[1]) {
      require(extent.get<std::size_t>() > 0, "numpy takes no dtype without bytes");
      shape.push_back(extent);
    }
  }
  const Dtype d = dtype_of(dtype.is_array() ? dtype[0] : dtype);
  std::size_t size = d.size;
  require(size != 0, "numpy takes no dtype without bytes");
  for (const std::size_t extent : shape) size *= extent;
  require(bytes.size() == size, "a blob has the bytes of its elements and no more");
  const char* p = bytes.data();
  return nested(d, shape, 0, p);
}

std::vector<long long> CanonicalReader::integers(const Json& e, const char* dtype) {
  require(e.contains("args") && e["args"].at(1).at("dtype") == dtype,
          std::string("a column of ") + dtype);
  return evaluate(e, true).get<std::vector<long long>>();
}

Json CanonicalReader::evaluate(const Json& e, bool column) {
  require(e.is_object(), "an expression is an object");
  static const std::vector<std::string> kinds = {"call",     "read",   "list",  "tuple",
                                                 "dict",     "pairs",  "dtype", "json",
                                                 "function", "python", "ref"};
  std::string kind;
  for (const std::string& key : kinds) {
    if (!e.contains(key)) continue;
    require(kind.empty(), "one identifying key");
    kind = key;
  }
  Json value;
  if (kind == "ref") {
    const auto found = values_.find(e["ref"].get<unsigned>());
    require(found != values_.end(), "references go back to what is complete");
    return found->second;
  }
  require(kind == "call" || !column, "a column is made by a call");
  if (kind == "call") value = call(e);
  if (kind == "json") value = e["json"];
  if (kind == "list" || kind == "tuple") {
    value = Json::array();
    for (const Json& item : e[kind]) value.push_back(evaluate(item, false));
  }
  if (kind == "dict") {
    value = Json::object();
    for (const auto& [name, member] : e["dict"].items()) value[name] = evaluate(member, false);
  }
  if (kind == "read") {
    const std::string bytes = buffer(e);
    value = raw(bytes.data(), bytes.size());
  }
  if (kind == "python") value = Json{{"$pickle", e["python"]}};
  if (e.contains("id")) {
    require(e["id"].is_number_unsigned(), "an id is a number that is not negative");
    require(values_.emplace(e["id"].get<unsigned>(), value).second, "ids are different");
  }
  return value;
}

Json CanonicalReader::call(const Json& e) {
  const Json& path = e["call"];
  const Json& args = e["args"];
  std::string name;
  for (const Json& part : path) name += (name.empty() ? "" : ".") + part.get<std::string>();
  called_.insert(name.substr(name.find('.') + 1));
  if (name == "awkward0.numpy.frombuffer") return frombuffer(args);
  Json out = Json::array();
  if (name == "awkward0.JaggedArray.fromcounts") {
    const auto counts = integers(args.at(0), "int64");
    require(!counts.empty(), "an array without lists has starts and stops");
    const Json content = evaluate(args.at(1), true);
    std::size_t at = 0;
    for (const long long count : counts) {
      require(count >= 0, "counts are not negative");
      out.push_back(Json::array());
      for (long long i = 0; i < count; ++i) out.back().push_back(content.at(at++));
    }
    require(at == content.size(), "the content has no items that no list has");
  } else if (name == "awkward0.JaggedArray") {
    const auto starts = integers(args.at(0), "int64");
    const auto stops = integers(args.at(1), "int64");
    const Json content = evaluate(args.at(2), true);
    require(starts.size() == stops.size(), "as many starts as stops");
    for (std::size_t i = 0; i < starts.size(); ++i) {
      out.push_back(Json::array());
      for (long long k = starts[i]; k < stops[i]; ++k)
        out.back().push_back(content.at(static_cast<std::size_t>(k)));
    }
  } else if (name == "awkward0.StringArray.fromcounts" || name == "awkward0.StringArray") {
    const bool counted = args.size() == 3;
    const auto first = integers(args[0], "int64");
    const auto stops = counted ? first : integers(args[1], "int64");
    require(!counted || !first.empty(), "an array without texts has starts and stops");
    const Json bytes = evaluate(args[counted ? 1 : 2], true);
    require(args[counted ? 1 : 2]["args"][1]["dtype"] == "uint8", "texts are bytes");
    const Json& encoding = args.back().at("json");
    require(encoding.is_null() || encoding == "utf-8", "texts are UTF-8");
    std::size_t at = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const std::size_t begin = counted ? at : static_cast<std::size_t>(first[i]);
      const std::size_t end =
          counted ? begin + static_cast<std::size_t>(first[i]) : static_cast<std::size_t>(stops[i]);
      std::string text;
      for (at = begin; at < end; ++at) text += static_cast<char>(bytes.at(at).get<int>());
      out.push_back(encoding.is_null() ? raw(text.data(), text.size()) : Json(text));
    }
  } else if (name == "awkward0.Table.frompairs") {
    require(args.size() == 2 && args[1] == Json{{"json", 0}}, "a table starts at row 0");
    Json columns = Json::object();
    std::size_t rows = SIZE_MAX;
    for (const Json& pair : args[0].at("pairs")) {
      columns[pair.at(0).get<std::string>()] = evaluate(pair.at(1), true);
      rows = std::min(rows, columns[pair[0].get<std::string>()].size());
    }
    if (columns.empty()) rows = e.at("polycodec").at("length");
    for (const auto& [column, values] : columns.items())
      require(values.size() == rows, "columns are equally long");
    for (std::size_t i = 0; i < rows; ++i) {
      const bool tuple = e.contains("polycodec") && e["polycodec"].value("tuple", false);
      out.push_back(tuple ? Json::array() : Json::object());
      for (const auto& [column, values] : columns.items()) {
        if (tuple)
          out.back().push_back(values[i]);
        else
          out.back()[column] = values[i];
      }
    }
  } else if (name == "awkward0.Table.fromview") {
    out = evaluate(args.at(1), true);
    const Json view{{"tuple", {{{"json", 0}}, {{"json", 1}}, {{"json", out.size()}}}}};
    require(args.size() == 2 && args[0] == view && !out.empty() && out[0].empty(),
            "a view is of all rows of a table without columns");
  } else if (name == "awkward0.UnionArray.fromtags" || name == "awkward0.UnionArray") {
    const bool indexed = args.size() == 3;
    const auto tags = integers(args[0], "uint8");
    require(!tags.empty(), "no union without items");
    const auto index = indexed ? integers(args[1], "int64") : std::vector<long long>();
    std::vector<Json> contents;
    for (const Json& content : args.back().at("list")) contents.push_back(evaluate(content, true));
    std::vector<std::size_t> used(contents.size());
    for (std::size_t i = 0; i < tags.size(); ++i) {
      const auto tag = static_cast<std::size_t>(tags[i]);
      out.push_back(
          contents.at(tag).at(indexed ? static_cast<std::size_t>(index[i]) : used.at(tag)++));
    }
    for (std::size_t tag = 0; !indexed && tag < contents.size(); ++tag)
      require(used[tag] == contents[tag].size(), "members have no rows that are not used");
  } else if (name == "awkward0.MaskedArray") {
    require(args.size() == 3 && args[2] == Json{{"json", true}},
            "a mask is true where an item is missing");
    require(args[0]["args"][1]["dtype"] == "bool", "a mask of booleans");
    const Json mask = evaluate(args[0], true);
    out = evaluate(args[1], true);
    require(mask.size() == out.size(), "mask and content are equally long");
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i].get<bool>()) out[i] = nullptr;
  } else if (name == "awkward0.BitMaskedArray") {
    const auto mask = integers(args.at(0), "uint8");
    out = evaluate(args.at(1), true);
    require(mask.size() == (out.size() + 7) / 8, "a bit for each item");
    const bool when = args.at(2).at("json");
    const bool lsb = args.at(3).at("json");
    for (std::size_t i = 0; i < out.size(); ++i)
      if (((mask[i / 8] >> (lsb ? i % 8 : 7 - i % 8) & 1) != 0) == when) out[i] = nullptr;
  } else if (name == "awkward0.IndexedMaskedArray" || name == "awkward0.IndexedArray") {
    const bool masked = args.size() == 3;
    require(!masked || args[2] == Json{{"json", -1}}, "-1 is missing");
    const auto index = integers(args[0], "int64");
    const Json content = evaluate(args[1], true);
    std::set<long long> seen(index.begin(), index.end());
    seen.erase(-1);
    require(seen.size() == content.size(), "the content has only rows that are used");
    for (const long long i : index)
      out.push_back(masked && i == -1 ? Json() : content.at(static_cast<std::size_t>(i)));
  } else if (name == "awkward0.ChunkedArray") {
    const Json& chunks = args.at(0).at("list");
    const Json& sizes = args.at(1).at("json");
    require(chunks.size() == sizes.size() && !chunks.empty(), "a size for each chunk");
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const Json chunk = evaluate(chunks[i], true);
      require(chunk.size() == sizes[i].get<std::size_t>() && !chunk.empty(),
              "chunks have their size, and items");
      out.insert(out.end(), chunk.begin(), chunk.end());
    }
  } else {
    require(false, "the function " + name + " is one of those that a writer uses");
  }
  return out;
}

}  // namespace polycodec::test
