// SPDX-License-Identifier: MIT
#include "read_support.hpp"

#include "hex.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace polycodec::test {

Source store_of(const Blobs& blobs) {
  std::vector<polycodec_bytes> names, contents;
  for (const auto& [name, content] : blobs) {
    names.push_back(to_bytes(name));
    contents.push_back(to_bytes(content));
  }
  const polycodec_store* store = nullptr;
  border::call(polycodec_store_from_memory, static_cast<const polycodec_bytes*>(names.data()),
               static_cast<const polycodec_bytes*>(contents.data()), std::uint64_t{names.size()},
               &store);
  return Source::adopt(store);
}

Value read_store(const Blobs& blobs, std::string_view options, const CallOptions& call) {
  return awkward_codec(options).decode(store_of(blobs), call);
}

Value read_path(const std::string& path, std::string_view options, const CallOptions& call) {
  return awkward_codec(options).decode(Source::file(path), call);
}

Value read_schema(std::string_view expression, Blobs blobs, std::string_view options,
                  const CallOptions& call) {
  blobs.emplace_back(".json",
                     R"({"awkward0": "0.15.5", "schema": )" + std::string(expression) + "}");
  return read_store(blobs, options, call);
}

bool has_hdf5() {
  const Value stores = registry().describe(About::stores);
  for (const View store : stores.view())
    if (store["name"].as_string() == "hdf5") return true;
  return false;
}

Blobs rewritten(const Value& value, std::string_view options) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() / "written.zip";
  StoreChange change = StoreChange::create(registry(), path);
  awkward_codec(options).encode(value, change);
  change.commit();
  const OpenedStore store(registry(), Source::file(path, {.copy = true}));
  Blobs blobs;
  for (std::uint64_t i = 0; i < store.raw()->count(store.raw()); ++i) {
    polycodec_store_entry entry{};
    entry.struct_size = sizeof entry;
    border::call(store.raw()->entry, store.raw(), static_cast<polycodec_call*>(nullptr), i, &entry);
    polycodec_bytes content{};
    border::call(store.raw()->read, store.raw(), static_cast<polycodec_call*>(nullptr), i,
                 std::uint64_t{0}, UINT64_MAX, &content);
    blobs.emplace_back(to_string_view(entry.name), to_string_view(content));
  }
  return blobs;
}

std::string blob(const Blobs& blobs, std::string_view name) {
  for (const auto& [one, content] : blobs)
    if (one == name) return content;
  return {};
}

std::string buffer(const std::string& blob, const std::string& dtype, std::size_t count) {
  return R"({"call": ["awkward0", "numpy", "frombuffer"], "args": [{"read": ")" + blob +
         R"("}, {"dtype": )" + dtype + R"(}, {"json": )" + std::to_string(count) + "}]}";
}

namespace {

/// As Python's isoformat() has it, for years of four digits.
std::string iso_time(const polycodec_time& t) {
  const std::int64_t days = (t.count - ((t.count % 86400 + 86400) % 86400)) / 86400;
  const std::int64_t second = t.count - days * 86400;
  std::int64_t z = days + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const std::int64_t doe = z - era * 146097;
  const std::int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const std::int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const std::int64_t mp = (5 * doy + 2) / 153;
  const std::int64_t day = doy - (153 * mp + 2) / 5 + 1;
  const std::int64_t month = mp < 10 ? mp + 3 : mp - 9;
  const std::int64_t year = yoe + era * 400 + (month <= 2 ? 1 : 0);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", static_cast<int>(year),
                static_cast<int>(month), static_cast<int>(day), static_cast<int>(second / 3600),
                static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  std::string result = text;
  if (t.nanoseconds != 0) {
    std::snprintf(text, sizeof text, ".%06u", t.nanoseconds / 1000);
    result += text;
  }
  return result;
}

bool same_number(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || a == b;
}

}  // namespace

std::string difference(const View& value, const Json& expected, const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return path + ": " + what + ", expected " + expected.dump().substr(0, 120);
  };
  const auto list = [&](const Json& items) -> std::string {
    if (value.kind() != POLYCODEC_KIND_LIST && value.kind() != POLYCODEC_KIND_TUPLE &&
        value.kind() != POLYCODEC_KIND_OBJECT)
      return wrong("not a list");
    if (value.size() != items.size()) return wrong("size " + std::to_string(value.size()));
    for (std::uint64_t i = 0; i < value.size(); ++i)
      if (auto found = difference(value.child(i), items[i], path + "[" + std::to_string(i) + "]");
          !found.empty())
        return found;
    return {};
  };
  std::string scratch;
  if (value.kind() == POLYCODEC_KIND_UNION) return difference(value.child(), expected, path);
  if (value.kind() == POLYCODEC_KIND_REFERENCE) return difference(value.target(), expected, path);
  if (expected.is_object() && expected.size() == 1 && expected.begin().key().starts_with('@')) {
    const std::string& word = expected.begin().key();
    const Json& what = expected.begin().value();
    if (word == "@tuple") return list(what);
    if (word == "@object") return list(what[1]);
    if (word == "@bytes")
      return value.kind() == POLYCODEC_KIND_BINARY && to_hex(value.as_bytes()) == what
                 ? ""
                 : wrong("other bytes");
    if (word == "@float") {
      const double d = value.kind() == POLYCODEC_KIND_FLOAT ? value.as_double() : 0;
      const std::string shown = std::isnan(d) ? "nan" : d > 0 ? "inf" : "-inf";
      return !std::isfinite(d) && shown == what ? "" : wrong("another float");
    }
    if (word == "@complex") {
      if (value.kind() != POLYCODEC_KIND_WIDE) return wrong("no complex number");
      std::byte bits[16];
      double re = 0, im = 0;
      if (value.copy_bits(bits) == 16) {
        std::memcpy(&re, bits, 8), std::memcpy(&im, bits + 8, 8);
      } else {
        float parts[2];
        std::memcpy(parts, bits, 8);
        re = parts[0], im = parts[1];
      }
      const auto part = [&](const Json& j, double d) {
        return j.is_number() ? same_number(j.get<double>(), d) : !std::isfinite(d);
      };
      return part(what[0], re) && part(what[1], im) ? "" : wrong("another number");
    }
    if (word == "@longdouble") {
      if (value.kind() != POLYCODEC_KIND_BINARY || value.as_bytes().size() != 16)
        return wrong("no opaque long double");
      long double d = 0;
      std::memcpy(&d, value.as_bytes().data(), 10);
      return d == std::stold(what.get<std::string>()) ? "" : wrong("another number");
    }
    if (word == "@datetime")
      return value.kind() == POLYCODEC_KIND_TIMESTAMP && iso_time(value.as_time()) == what
                 ? ""
                 : wrong("another time");
    if (word == "@date")
      return value.kind() == POLYCODEC_KIND_TIMESTAMP &&
                     value.as_time().unit == POLYCODEC_UNIT_DAY &&
                     iso_time({value.as_time().count * 86400, 0, POLYCODEC_UNIT_SECOND})
                             .substr(0, 10) == what
                 ? ""
                 : wrong("another date");
    if (word == "@timedelta_us")
      return value.kind() == POLYCODEC_KIND_DURATION && value.as_time().count * 1000000 == what
                 ? ""
                 : wrong("another span");
    return wrong("unknown form");
  }
  switch (value.kind()) {
    case POLYCODEC_KIND_NULL:
      return expected.is_null() ? "" : wrong("null");
    case POLYCODEC_KIND_BOOLEAN:
      return expected.is_boolean() && expected == value.as_bool() ? "" : wrong("a boolean");
    case POLYCODEC_KIND_SIGNED:
      return expected.is_number_integer() && expected == value.as_int64()
                 ? ""
                 : wrong(std::to_string(value.as_int64()));
    case POLYCODEC_KIND_UNSIGNED:
      return expected.is_number_integer() && expected == value.as_uint64()
                 ? ""
                 : wrong(std::to_string(value.as_uint64()));
    case POLYCODEC_KIND_FLOAT:
      return expected.is_number() && same_number(expected.get<double>(), value.as_double())
                 ? ""
                 : wrong(std::to_string(value.as_double()));
    case POLYCODEC_KIND_STRING:
      return expected.is_string() && expected == value.as_string(scratch)
                 ? ""
                 : wrong("'" + std::string(value.as_string(scratch)) + "'");
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION: {
      const polycodec_time t = value.as_time();
      if (t.count == INT64_MIN) return expected.is_null() ? "" : wrong("not a time");
      return expected == t.count * 1000000000 + t.nanoseconds ? "" : wrong("another time");
    }
    case POLYCODEC_KIND_OBJECT: {
      if (!expected.is_object() || expected.size() != value.size())
        return wrong("an object of " + std::to_string(value.size()));
      for (std::uint64_t i = 0; i < value.size(); ++i) {
        const std::string name(value.name(i));
        if (!expected.contains(name)) return wrong("member " + name);
        if (auto found = difference(value.child(i), expected[name], path + "." + name);
            !found.empty())
          return found;
      }
      return {};
    }
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return expected.is_array() ? list(expected) : wrong("a list");
    default:
      return wrong("kind " + std::to_string(value.kind()));
  }
}

}  // namespace polycodec::test
