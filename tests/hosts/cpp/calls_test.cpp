// SPDX-License-Identifier: MIT
// Registries, codecs, sources and sinks through polycodec.hpp: calls, errors, callbacks, threads.
#include "host.hpp"

extern "C" {
#include "../program_objects.h"
}

#include <fcntl.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

TEST(Registry, OpensCodecs) {
  const Codec codec = registry().codec("msgpack");
  EXPECT_EQ(codec.name(), "msgpack-ndarray");
  EXPECT_EQ(codec.describe().texts("codec"), std::vector<std::string>{"msgpack-ndarray"});
  EXPECT_EQ(registry().codec_for("a/b.ply", Value()).name(), "ply");
  EXPECT_EQ(error_of([] { (void)registry().codec_for("a/b.none", Value()); }).code(),
            Status::option);
  EXPECT_EQ(error_of([] { (void)registry().codec("msgpack", R"({"nonsense": 1})"); }).code(),
            Status::option);
  EXPECT_EQ(registry().codec(Format{.codec = "ply"}).name(), "ply");
}

TEST(Registry, SaysWhatIsMissingInFull) {
  const Error error = error_of([] { (void)registry().codec("msgpak"); });
  EXPECT_EQ(error.code(), Status::not_found);
  EXPECT_TRUE(error.message().starts_with("no codec is called 'msgpak' (did you mean 'msgpack'?)"))
      << error.message();
  // The fields of C hold 479 bytes.
  EXPECT_GT(error_of([] { (void)registry().codec(std::string(1000, 'n')); }).message().size(),
            480U);
  const Value missing = registry().describe(About::missing, "msgpak");
  EXPECT_EQ(missing.find("reason").as_string(), error.message());
}

TEST(Registry, ListsWhatItKnows) {
  bool has_msgpack = false;
  const Value codecs = registry().describe(About::codecs);
  EXPECT_TRUE(codecs.equals(Value::parse(registry().description(About::codecs))));
  for (const View codec : codecs.view())
    has_msgpack = has_msgpack || codec["name"].as_string() == "msgpack-ndarray";
  EXPECT_TRUE(has_msgpack);
  EXPECT_FALSE(registry().describe(About::directories).texts("path").empty());
  EXPECT_EQ(registry().describe(About::plugin, "msgpack-ndarray").texts("id").at(0),
            "msgpack-ndarray");
  EXPECT_EQ(error_of([] { (void)registry().describe(About::plugin, "none"); }).code(),
            Status::not_found);
  Limits given;
  given.max_nodes = 7;
  EXPECT_EQ(registry().limits(given, 100).max_nodes, 7U);
  EXPECT_EQ(library_api(), POLYCODEC_HOST_API_VERSION);
  EXPECT_FALSE(library_version().empty());
  trim_library();
}

TEST(Registry, LogsAndObeysItsOptions) {
  std::vector<std::string> lines;
  const Log log = [&](std::int32_t, std::string_view, std::string_view text) {
    lines.emplace_back(text);
    throw std::runtime_error("dropped");
  };
  RegistryOptions options;
  options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT | POLYCODEC_REGISTRY_NO_BUILTINS;
  options.plugin_paths = {"/no/such/directory"};
  options.log = &log;
  const Registry empty = Registry::open(options);
  EXPECT_EQ(error_of([&] { (void)empty.codec("ply"); }).code(), Status::not_found);
  options.layers = {{"{]"}};
  EXPECT_EQ(error_of([&] { (void)Registry::open(options); }).code(), Status::option);
  options.layers = {{R"({"limits": {"max_nodes": 3}})"}};
  const Registry bounded = Registry::open(options);
  EXPECT_EQ(bounded.limits().max_nodes, 3U);
}

TEST(Codec, DecodesAndEncodes) {
  const Value value = Value::parse(R"({"a": [1, 2, 3]})");
  const std::string bytes = msgpack().encode(value);
  EXPECT_TRUE(msgpack().decode(Source::view(bytes)).equals(value));
  Value reused = Value::reusable();
  for (int i = 0; i < 3; ++i) {
    msgpack().decode_into(reused, bytes);
    EXPECT_EQ(reused.find("a[2]").as_int64(), 3);
  }
  EXPECT_EQ(error_of([&] { msgpack().decode_into(reused, "\xc1"); }).code(), Status::malformed);
  EXPECT_TRUE(reused.view().is_null());
  EXPECT_EQ(error_of([] { (void)Codec().decode(Source::view("x")); }).code(), Status::invalid);
  EXPECT_EQ(error_of([] { (void)msgpack().decode(Source()); }).code(), Status::invalid);
}

TEST(Codec, ReportsWhereTheErrorIs) {
  const Error error = error_of(
      [] { (void)msgpack().decode(Source::view("\x81\xa1\x61\x92\x01", {.name = "x.msgpack"})); });
  EXPECT_EQ(error.code(), Status::truncated);
  EXPECT_EQ(error.offset(), 3U);
  EXPECT_EQ(error.path(), "$.a");
  EXPECT_EQ(error.detail(), "msgpack.end_of_input");
  EXPECT_TRUE(error.describe().starts_with("msgpack-ndarray: ")) << error.describe();
}

TEST(Value, OutlivesAllThatItWasMadeFrom) {
  Value value;
  {
    const Registry other = Registry::open({.flags = 0});
    const Codec codec = other.codec("msgpack-ndarray");
    value = codec.decode(Source::owned(codec.encode(table(1000))));
  }
  EXPECT_EQ(value.numbers<double>("rows.x").at(999), 999.5);
}

TEST(Source, HasManyKinds) {
  const std::string bytes = msgpack().encode(Value::parse("[1, 2]"));
  const auto is_right = [](const Source& source) {
    return registry().decode(source, default_call, {.codec = "msgpack"}).numbers<int>() ==
           std::vector<int>{1, 2};
  };
  EXPECT_TRUE(is_right(Source::view(bytes)));
  EXPECT_TRUE(is_right(Source::view(bytes, {.changing = true})));
  EXPECT_TRUE(is_right(Source::owned(bytes)));  // short enough to lie in the string itself
  EXPECT_TRUE(is_right(Source::owned(std::vector<char>(bytes.begin(), bytes.end()))));
  const auto owner = std::make_shared<const std::string>(bytes);
  EXPECT_TRUE(is_right(Source::shared(owner, *owner)));
  int released = 0;
  const auto release = [](void* count) { ++*static_cast<int*>(count); };
  EXPECT_TRUE(is_right(Source::adopt(bytes, &released, release)));
  EXPECT_EQ(released, 1);
  const Result written = registry().write(Value::parse("[1, 2]"), file("kinds.msgpack"));
  EXPECT_EQ(written.codec, "msgpack-ndarray");
  EXPECT_EQ(written.bytes, bytes.size());
  EXPECT_TRUE(is_right(Source::file(file("kinds.msgpack"))));
  EXPECT_TRUE(is_right(Source::file(file("kinds.msgpack"), {.copy = true})));
  const OpenedFile opened(file("kinds.msgpack"));
  EXPECT_TRUE(is_right(Source::of(opened.raw())));
  const int descriptor = ::open(file("kinds.msgpack").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_TRUE(is_right(Source::descriptor(descriptor, {.name = "x"})));
  ::close(descriptor);
  const Error missing = error_of([] { (void)Source::file(file("none")); });
  EXPECT_EQ(missing.code(), Status::io);
  EXPECT_NE(missing.message().find("none"), std::string::npos);
}

TEST(Sink, TakesBytesOnce) {
  Sink out;
  msgpack().encode(table(1000), out);
  EXPECT_GT(out.segments().size(), 1U);
  EXPECT_EQ(out.size(), out.bytes().size());
  out.reset();
  EXPECT_EQ(out.size(), 0U);
  Sink small = Sink::contiguous(10);
  EXPECT_EQ(error_of([&] { msgpack().encode(table(), small); }).code(), Status::limit);
  Sink moved = std::move(out);
  msgpack().encode(table(), moved);
  EXPECT_EQ(error_of([&] { (void)out.bytes(); }).code(), Status::invalid);  // NOLINT
}

TEST(OneStep, ReadsWritesAndConverts) {
  const Value value = Value::parse("[1.5]");
  registry().write(value, file("one.msgpack"));
  Match match;
  EXPECT_TRUE(
      registry().decode(Source::file(file("one.msgpack")), default_call, {}, &match).equals(value));
  EXPECT_EQ(match.codec, "msgpack-ndarray");
  registry().convert(Source::file(file("one.msgpack")), file("one.json"));
  EXPECT_TRUE(registry().read(file("one.json")).equals(value));
  EXPECT_EQ(registry().choose(Source::file(file("one.msgpack"))).codec, "msgpack-ndarray");
  std::string all;
  EXPECT_EQ(registry().choose(Source::file(file("one.msgpack")), &all).codec, "msgpack-ndarray");
  const Value candidates = registry().candidates(Source::file(file("one.msgpack")));
  EXPECT_TRUE(Value::parse(all).equals(candidates));
  EXPECT_EQ(error_of([&] { (void)registry().choose(Source::view("\xff\xfe?"), &all); }).code(),
            Status::ambiguous);
  EXPECT_TRUE(all.starts_with('[')) << all;
  EXPECT_EQ(candidates.find("[0].codec").as_string(), "msgpack-ndarray");
  EXPECT_EQ(error_of([&] {
              registry().write(value, file("one.msgpack"), {}, default_call, {.keep = true});
            }).code(),
            Status::io);
}

TEST(OneStep, SaysWhatAConversionFoundAndKept) {
  const std::string out = file("kept.json");
  const Value number = Value::parse("1.5", "float32");
  const Source source = Source::owned(msgpack().encode(number));
  std::vector<std::string> retyped;
  CallOptions options;
  options.flags = POLYCODEC_CALL_COMPARE;
  options.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_RETYPED);
  options.on_loss = [&](LossClass loss, std::string_view path, std::string_view) {
    if (loss == LossClass::retyped) retyped.emplace_back(path);
  };
  const Result kept = registry().convert(source, out, {"msgpack-ndarray"}, {"json"}, options);
  EXPECT_EQ(kept.from, "msgpack-ndarray");
  EXPECT_EQ(kept.codec, "json");
  EXPECT_EQ(kept.kept, Kept::same_numbers);
  EXPECT_EQ(retyped, std::vector<std::string>{"$"});
  EXPECT_EQ(kept.path, "");

  retyped.clear();
  Sink sink;
  registry().codec("json").encode(number, sink, options);
  EXPECT_EQ(sink.bytes(), "1.5\n");
  EXPECT_EQ(retyped, std::vector<std::string>{"$"});
}

TEST(OneStep, ConvertsAStreamValueByValue) {
  const std::string in = file("stream.jsonl"), out = file("stream.msgpack");
  registry().write_bytes("[1]\n{\"a\": \"b\"}\n[2.5]\n", in);
  CallOptions each{.flags = POLYCODEC_CALL_STREAM | POLYCODEC_CALL_COMPARE};
  std::uint64_t input = 0;
  each.on_progress = [&](const polycodec_progress& now) {
    input = now.input;
    return true;
  };
  const Result done = registry().convert(Source::file(in), out, {}, {}, each);
  EXPECT_EQ(done.from, "json");
  EXPECT_EQ(done.codec, "msgpack-ndarray");
  EXPECT_EQ(done.kept, Kept::same);
  EXPECT_GE(input, 23U);
  const Source written = Source::file(out);
  EXPECT_EQ(written.bytes(),
            std::string("\x91\x01\x81\xa1\x61\xa1\x62\x91\xcb\x40\x04\0\0\0\0\0\0", 17));
  EXPECT_EQ(done.bytes, 17U);
  each.rows = 1;
  EXPECT_EQ(error_of([&] { registry().convert(Source::file(in), out, {}, {}, each); }).code(),
            Status::option);
}

TEST(OneStep, SaysThatNobodyNamedAFormat) {
  for (const char* name : {"no_extension", "an.unknown"}) {
    const Error error = error_of([&] { registry().write(table(), file(name)); });
    EXPECT_EQ(error.code(), Status::option);
    EXPECT_EQ(error.detail(), "format.unknown");
  }
}

// A long input would be read in vain.
TEST(OneStep, ConvertChecksTheOutputBeforeItReads) {
  const auto failed = [](const char* name, const Format& to) {
    return error_of(
        [&] { registry().convert(Source::view("{"), file(name), {.codec = "json"}, to); });
  };
  EXPECT_EQ(failed("an.unknown", {}).detail(), "format.unknown");
  EXPECT_EQ(failed("out.msgpack", {.options = R"({"no": 1})"}).code(), Status::option);
  EXPECT_EQ(failed("out", {.codec = "none"}).code(), Status::not_found);
  EXPECT_EQ(failed("out.msgpack", {.filters = R"([{"id": "none"}])"}).code(), Status::not_found);
  EXPECT_EQ(failed("out.msgpack", {}).code(), Status::truncated);
}

TEST(OneStep, WritesBytes) {
  const std::string out = file("bytes");
  const std::string bytes("a\0b\xff", 4);
  registry().write_bytes(bytes, out);
  const auto written = [&] {
    const Source source = Source::file(out);
    return std::string(source.bytes());
  };
  EXPECT_EQ(written(), bytes);
  registry().write_bytes("", out);
  EXPECT_EQ(written(), "");
  EXPECT_EQ(error_of([&] { registry().write_bytes("x", out, {.keep = true}); }).code(), Status::io);
  auto write = border::empty<polycodec_write_options>();
  write.flags = POLYCODEC_WRITE_BYTES;
  CallError error;
  EXPECT_EQ(polycodec_encode_file(registry().raw(), Value::parse("[1]").raw(), to_bytes(out),
                                  nullptr, nullptr, &write, nullptr, error.raw()),
            POLYCODEC_ERROR_INVALID);
  EXPECT_EQ(written(), "");
}

TEST(Source, OfADescriptorCanBeMapped) {
  registry().write_bytes("0123", file("mapped"));
  const int descriptor = ::open(file("mapped").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  const Source mapped = Source::descriptor(descriptor, {.map = true});
  EXPECT_EQ(mapped.bytes(), "0123");
  ::lseek(descriptor, 2, SEEK_SET);
  const Source read = Source::descriptor(descriptor);
  EXPECT_EQ(read.bytes(), "23");
  ::close(descriptor);
}

// In a process of its own: the library sets the handler of SIGBUS.
TEST(RegistryDeathTest, GuardsAgainstFilesThatAreCutShort) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const Registry guarded = Registry::open({.flags = POLYCODEC_REGISTRY_GUARD});
        const std::string name = file("cut.msgpack");
        guarded.write_bytes(msgpack().encode(table(100000)), name);
        const Source source = Source::file(name);
        std::filesystem::resize_file(name, 10);
        const auto is_cut = [](const auto& body) {
          return error_of(body).detail() == "io.cut_short";
        };
        const Sink sink;
        const bool all = is_cut([&] { (void)guarded.decode(source); }) &&
                         is_cut([&] { (void)source.bytes(); }) &&
                         is_cut([&] { (void)sink.segments(); }) &&
                         is_cut([&] { (void)sink.bytes(); });
        std::_Exit(all ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Registry, SaysWhatThePolicyDenies) {
  const Registry limited = Registry::open(
      {.layers = {{R"({"policy": {"deny_codecs": [{"codec": "dynd", "decode": false}]}})", "c"}}});
  const Value dynd = limited.describe(About::codec, "dynd");
  ASSERT_EQ(dynd.find("denied").size(), 1U) << dynd.text();
  EXPECT_EQ(dynd.find("denied[0]").as_string(), "write");
  const Value free = registry().describe(About::codec, "dynd");
  EXPECT_EQ(free.find("denied").size(), 0U);
  EXPECT_NE(Registry().description(About::config_schema).find("\"limits\""), std::string::npos);
}

TEST(Registry, IsolatesForeignPlugins) {
  const auto mode = [](std::uint32_t flags, const char* isolation) {
    const Value settings =
        Registry::open({.flags = flags, .isolation = isolation}).describe(About::settings);
    for (const View setting : settings.view())
      if (setting["key"].as_string() == "policy.isolation")
        return std::string(setting["value"]["mode"].as_string());
    return std::string();
  };
  EXPECT_EQ(mode(0, "in-process"), "in-process");
  EXPECT_EQ(mode(POLYCODEC_REGISTRY_ISOLATE_FOREIGN, "in-process"), "auto");
  EXPECT_EQ(mode(POLYCODEC_REGISTRY_ISOLATE_FOREIGN, "process"), "process");
}

TEST(Call, HasLimitsProjectionAndBudget) {
  const std::string bytes = msgpack().encode(Value::parse("[1, 2, 3]"));
  CallOptions small;
  small.limits.max_nodes = 2;
  EXPECT_EQ(error_of([&] { (void)msgpack().decode(Source::view(bytes), small); }).code(),
            Status::limit);
  EXPECT_EQ(msgpack().decode(Source::view(bytes), {.threads = 2}).numbers<int>().size(), 3U);

  const std::uint8_t cancel = 1;
  CallOptions cancelled;
  cancelled.cancel = &cancel;
  EXPECT_EQ(error_of([&] { (void)msgpack().decode(Source::view(bytes), cancelled); }).code(),
            Status::cancelled);

  Limits limits;
  limits.max_work = 1000;
  const Budget budget(registry(), limits);
  (void)msgpack().decode(Source::view(bytes), {.budget = budget});
  budget.spend(100);
  EXPECT_EQ(error_of([&] { budget.spend(10000); }).code(), Status::limit);
  const Budget walk = table().budget();
  int ran = 0;
  walk.walk([&] { ++ran; });
  EXPECT_EQ(ran, 1);
  EXPECT_THROW(walk.walk([] { throw std::runtime_error("mine"); }), std::runtime_error);
}

TEST(Call, SelectsAPart) {
  const Value value = Value::parse(R"({"a": {"b": [1, {"c": "x"}]}, "d": 2})");
  const std::string bytes = msgpack().encode(value);
  const Source source = Source::view(bytes);
  const CallOptions item{.select = "$.a.b[1]"};
  const Value decoded = msgpack().decode(source, item);
  EXPECT_EQ(decoded.find("c").as_string(), "x");
  EXPECT_FALSE(decoded.is_partial());
  EXPECT_TRUE(registry().decode(source, item).equals(decoded));
  EXPECT_TRUE(registry().decode(source, {.select = "d"}).equals(Value::parse("2")));
  EXPECT_TRUE(registry().decode(source, {.select = "$"}).equals(value));
  // A row of a table becomes an object.
  const std::string rows = msgpack().encode(table());
  const Value row = msgpack().decode(Source::view(rows), {.select = "rows[2]"});
  EXPECT_EQ(row.find("x").as_double(), 2.5);
  registry().convert(source, file("part.json"), {}, {}, item);
  const Source written = Source::file(file("part.json"));
  EXPECT_EQ(written.bytes(), "{\"c\": \"x\"}\n");
  const auto refusal = [&](const char* path) {
    return error_of([&] { (void)msgpack().decode(source, {.select = path}); });
  };
  EXPECT_EQ(refusal("a.bb").code(), Status::not_found);
  EXPECT_NE(refusal("a.bb").message().find("'b'"), std::string::npos) << refusal("a.bb").message();
  EXPECT_EQ(refusal("a.b[2]").code(), Status::not_found);
  EXPECT_EQ(refusal("a[").code(), Status::option);
  Value into = Value::parse("1");
  EXPECT_EQ(error_of([&] { msgpack().decode_into(into, bytes, item); }).code(), Status::option);
  EXPECT_EQ(error_of([&] { (void)Stream(msgpack(), source, item); }).code(), Status::option);
}

TEST(Call, CallbacksHearAndMayThrow) {
  const Value value = Value::build([](Builder& out) {
    return out.annotated(Builder::real(150.0), out.object({{"units", out.string_copy("cm")}}));
  });
  std::vector<std::string> lost;
  CallOptions options;
  options.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_DATA);
  EXPECT_EQ(error_of([&] { (void)msgpack().encode(value, options); }).code(), Status::option);
  options.on_loss = [&](LossClass loss, std::string_view path, std::string_view what) {
    EXPECT_EQ(loss, LossClass::data);
    lost.push_back(std::string(path) + ": " + std::string(what));
  };
  EXPECT_EQ(error_of([&] { (void)msgpack().encode(value); }).code(), Status::unsupported);
  (void)msgpack().encode(value, options);
  EXPECT_EQ(lost, std::vector<std::string>{"$: the attribute 'units'"});
  options.on_loss = [](LossClass, std::string_view, std::string_view) {
    throw std::runtime_error("mine");
  };
  EXPECT_THROW((void)msgpack().encode(value, options), std::runtime_error);

  int heard = 0;
  CallOptions watched;
  watched.on_progress = [&](const polycodec_progress& progress) {
    heard += progress.is_last != 0 ? 1 : 0;
    return true;
  };
  const std::string bytes = msgpack().encode(table());
  (void)msgpack().decode(Source::view(bytes), watched);
  EXPECT_EQ(heard, 1);
  watched.on_progress = [](const polycodec_progress&) { return false; };
  EXPECT_EQ(error_of([&] { (void)msgpack().decode(Source::view(bytes), watched); }).code(),
            Status::cancelled);
  watched.on_progress = [](const polycodec_progress&) -> bool { throw std::logic_error("mine"); };
  EXPECT_THROW((void)msgpack().decode(Source::view(bytes), watched), std::logic_error);
}

TEST(Registry, TakesObjectsOfTheProgram) {
  const polycodec_codec* const codecs[] = {&shout};
  polycodec_objects objects{};
  objects.struct_size = sizeof objects;
  objects.n_codecs = 1;
  objects.codecs = codecs;
  const int before = released_objects;
  {
    Value value;
    {
      const Registry own = registry().with(objects);
      value = own.decode(Source::view("SHOUT\nhello"));
      EXPECT_EQ(own.codec("shout").encode(value), "SHOUT\nhello");
      EXPECT_EQ(own.codec("msgpack").name(), "msgpack-ndarray");
    }
    EXPECT_EQ(value.view().as_string(), "hello");
  }
  EXPECT_EQ(released_objects, before + 1);
  EXPECT_EQ(error_of([] { (void)registry().describe(About::codec, "shout"); }).code(),
            Status::not_found);
}

TEST(Handles, AreSharedByThreads) {
  const Codec codec = msgpack();
  const Source source = Source::owned(codec.encode(table(100)));
  const Value shared = codec.decode(source);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, codec, source, shared] {
      for (int k = 0; k < 100; ++k) {
        const Value mine = codec.decode(source);
        const Value copy = k % 2 == 0 ? shared : mine;
        right += copy.numbers<int>("rows.id").at(99) == 99 ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
}

TEST(Registry, CallsFunctionsByTheirNames) {
  // "some text", which zlib has compressed.
  const Value args =
      Value::parse(R"x({"type": "(bytes)", "value": [{"$bytes": "eJwrzs9NVShJrSgBABHoA5o="}]})x");
  const CallOptions allowed{.allowlist = R"(["zlib", "decompress"])"};
  for (const char* name : {"zlib.decompress", R"(["zlib", "decompress"])"}) {
    const Value text = registry().call(name, args, {}, allowed);
    EXPECT_EQ(text.view().as_bytes(), "some text") << name;
  }
  EXPECT_EQ(error_of([&] { (void)registry().call("zlib.decompress", args); }).code(),
            Status::denied);
}

TEST(Registry, HasAddressesAndPeers) {
  const Value value = Value::parse("[1]");
  EXPECT_EQ(registry().address(value).size(), 64U);
  EXPECT_NE(registry().address(value), registry().address(Value::parse("[2]"), Address::logical));
  std::uint64_t hashed = 0;
  registry().address(value, Address::logical, &hashed);
  EXPECT_GT(hashed, 20u);
  const std::string offer = registry().offer("me");
  EXPECT_EQ(registry().agree(offer, value).texts("codec").size(), 1U);
}

}  // namespace
}  // namespace polycodec::test
