// SPDX-License-Identifier: MIT
// Finding, choosing and using codecs.
#include <model/type/print.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/frame/message.hpp"
#include "own_codecs.hpp"
#include "plugin_directory.hpp"
#include "registry/codec/codec_handle.hpp"

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <span>

namespace polycodec {
namespace {

Value binary(std::string_view text) {
  return Value::build([&](Builder& b) { return b.bytes_copy(text); });
}

class Registries : public PluginDirectory {
 protected:
  Registry sample_registry() {
    install_sample(directory);
    return Registry::open(options());
  }
  static std::string bytes_of(const Value& value) {
    const auto bytes = value.view().as_bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
};

TEST_F(Registries, ListingLoadsNothing) {
  const Registry registry = sample_registry();
  ASSERT_EQ(registry.codecs().size(), 2u + test::own_codecs);
  const CodecInfo& raw = registry.codecs()[1];  // after json
  EXPECT_EQ(raw.name, "test.raw");
  EXPECT_EQ(raw.library, directory / "sample.so");
  EXPECT_EQ(registry.find("raw"), &raw);
  EXPECT_EQ(registry.find("Raw"), nullptr);
  EXPECT_EQ(registry.find_by_extension(".BIN").size(), 2u);
  EXPECT_EQ(registry.type_names()("test.point"), "{x: float64, y: float64}");
  ASSERT_EQ(registry.records().size(), 1u);
  EXPECT_EQ(registry.records()[0].outcome, Outcome::listed);
}

TEST_F(Registries, DecodesAndEncodes) {
  const Registry registry = sample_registry();
  const Codec codec = registry.codec("raw");
  const Value value = codec.decode(Source::owned("hello"));
  EXPECT_EQ(bytes_of(value), "hello");
  EXPECT_EQ(codec.encode_to_string(value.view()), "hello");
  EXPECT_EQ(codec.encoded_size(value.view()), std::nullopt);
  EXPECT_EQ(registry.codec_with_json("test.raw", R"({"level": 7})").encode_to_string(value.view()),
            "7hello");
  Value again;
  codec.decode_into(again, std::string_view("again"));
  EXPECT_EQ(bytes_of(again), "again");
  EXPECT_EQ(registry.records()[0].outcome, Outcome::loaded);
}

TEST_F(Registries, HandlesOutliveTheRegistry) {
  const Codec codec = sample_registry().codec_with_json("raw", R"({"level": 2})");
  const Codec defaults = sample_registry().codec("raw");
  EXPECT_EQ(bytes_of(codec.decode(Source::view("x"))), "x");
  EXPECT_EQ(bytes_of(defaults.decode(Source::view("y"))), "y");
}

TEST_F(Registries, DeinitFollowsTheLastObject) {
  install_sample(directory);
  std::string lines;
  RegistryOptions with = options();
  with.policy.isolation.mode = IsolationMode::in_process;
  with.log = [&](polycodec_log_level, std::string_view source, std::string_view text) {
    if (source == "plugin") lines += std::string(text) + " ";
  };
  std::optional<Registry> registry = Registry::open(with);
  EXPECT_EQ(lines, "") << "nothing was loaded";
  std::optional<Codec> codec = registry->codec_with_json("raw", R"({"level": 2})");
  const std::string before = lines;
  EXPECT_EQ(before, "init opened ");
  std::optional<ValueStream> stream(*codec);
  std::optional<Value> value = codec->decode(Source::owned("x"));
  registry.reset();
  EXPECT_EQ(lines, before) << "the codec, the stream and the value keep it";
  codec.reset();
  EXPECT_EQ(lines, before) << "the stream and the value keep it";
  stream.reset();
  EXPECT_EQ(lines, before) << "the value keeps it";
  EXPECT_EQ(bytes_of(*value), "x");
  value.reset();
  EXPECT_EQ(lines, before + "deinit ");
  // A plugin that is needed again starts again.
  (void)Registry::open(with).codec("raw");
  EXPECT_EQ(lines, before + "deinit init opened deinit ");
}

TEST_F(Registries, OptionsAreCheckedAgainstTheSchema) {
  const Registry registry = sample_registry();
  const auto refusal = [&](const char* json) {
    return message_of([&] { (void)registry.codec_with_json("raw", json); }, Status::option);
  };
  EXPECT_NE(refusal(R"({"levl": 1})").find("did you mean 'level'?"), std::string::npos);
  EXPECT_NE(refusal(R"({"level": 10})").find("at most 9"), std::string::npos);
  EXPECT_NE(refusal(R"({"level": -1})").find("at least 0"), std::string::npos);
  EXPECT_NE(refusal(R"({"level": "1"})").find("must be an integer"), std::string::npos);
  EXPECT_NE(refusal(R"({"mode": "plan"})").find("'plain' or 'strict'"), std::string::npos);
  EXPECT_NE(refusal("[]").find("object"), std::string::npos);
  EXPECT_NE(refusal("{").find("options:1: "), std::string::npos);
  EXPECT_EQ(refusal(R"({"level": 9, "mode": "strict"})"), "");
  // Nothing was loaded for options that make no sense, but it was for those that do.
  const Value number = Value::build([](Builder& b) { return b.string_copy("level"); });
  EXPECT_NE(message_of([&] { (void)registry.codec("raw", number.view()); }, Status::option), "");
}

TEST_F(Registries, DefaultOptionsComeFromTheOperator) {
  install_sample(directory);
  RegistryOptions with = options();
  with.default_options["test.raw"] = R"({"level": 5})";
  const Registry registry = Registry::open(with);
  const Value value = binary("x");
  EXPECT_EQ(registry.codec("raw").encode_to_string(value.view()), "5x");
  EXPECT_EQ(registry.codec_with_json("raw", R"({"mode": "strict"})").encode_to_string(value.view()),
            "5x");
  EXPECT_EQ(registry.codec_with_json("raw", R"({"level": 3})").encode_to_string(value.view()),
            "3x");
  with.default_options["test.raw"] = R"({"level": 50})";
  EXPECT_NE(message_of([&] { (void)Registry::open(with); }, Status::option), "");
}

TEST_F(Registries, FailedEncodesLeaveNothing) {
  const Registry registry = sample_registry();
  const Value text = Value::build([](Builder& b) { return b.string_copy("text"); });
  BufferSink sink(1000);
  const auto result = attempt(
      [&] { registry.codec_with_json("raw", R"({"level": 2})").encode(text.view(), sink); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Status::unsupported);
  EXPECT_EQ(result.error().codec(), "test.raw");
  EXPECT_EQ(sink.size(), 0u);
  EXPECT_EQ(sink.max_bytes(), 1000u);
  const Value bytes = binary("0123456789");
  CallOptions tight;
  tight.limits.emplace().max_output_bytes = 9;
  EXPECT_EQ(
      attempt([&] { registry.codec("raw").encode(bytes.view(), sink, tight); }).error().code(),
      Status::limit);
  EXPECT_TRUE(attempt([&] { registry.codec("raw").encode(bytes.view(), sink); }).ok());
  EXPECT_EQ(sink.view(), "0123456789");
}

TEST_F(Registries, LimitsAndCancelling) {
  const Registry registry = sample_registry();
  CallOptions call;
  call.limits.emplace().max_input_bytes = 3;
  EXPECT_EQ(attempt([&] { return registry.codec("raw").decode(Source::view("1234"), call); })
                .error()
                .code(),
            Status::limit);
  const std::atomic<bool> stop{true};
  CallOptions cancelled;
  cancelled.cancel = &stop;
  EXPECT_EQ(attempt([&] { return registry.codec("raw").decode(Source::view("C"), cancelled); })
                .error()
                .code(),
            Status::cancelled);
  EXPECT_TRUE(attempt([&] { return registry.codec("raw").decode(Source::view("C")); }).ok());
}

TEST_F(Registries, CodecsInsideCodecsEndAtALimit) {
  const Registry registry = sample_registry();
  EXPECT_EQ(bytes_of(registry.codec("raw").decode(Source::view("NNNx"))), "x");
  const std::string deep(100, 'N');
  const auto result = attempt([&] { return registry.codec("raw").decode(Source::view(deep)); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Status::limit);
}

TEST_F(Registries, FunctionsNeedTheAllowlist) {
  const Registry registry = sample_registry();
  const auto denied = attempt([&] { return registry.codec("raw").decode(Source::view("F")); });
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().code(), Status::denied);
  CallOptions call;
  call.allowlist = std::make_shared<const Allowlist>(Allowlist::parse(R"([["test", "answer"]])"));
  EXPECT_EQ(registry.codec("raw").decode(Source::view("F"), call).view().as_int64(), 42);
  EXPECT_EQ(bytes_of(registry.codec("raw").decode(Source::view("Nx"), call)), "x");
  EXPECT_EQ(registry.codec("raw").decode(Source::view("NF"), call).view().as_int64(), 42);
  EXPECT_EQ(registry.codec("raw").decode(Source::view("T")).view().as_string(),
            "{x: float64, y: float64}");
}

TEST_F(Registries, AllowAlsoAddsFunctionsWhereAllowlistReplacesThem) {
  install_sample(directory);
  const auto list = [](const char* text) {
    return std::make_shared<const Allowlist>(Allowlist::parse(text));
  };
  const auto status = [&](const RegistryOptions& with, const CallOptions& call) {
    const Registry registry = Registry::open(with);
    const auto result =
        attempt([&] { return registry.codec("raw").decode(Source::view("NF"), call); });
    return result.ok() ? Status::ok : result.error().code();
  };
  const auto answer = list(R"([["test", "answer"]])"), other = list(R"([["a", "b"]])");
  RegistryOptions old = options(), also = options();
  old.allowlist = other;
  also.allowlist = other;
  also.allow_also = answer;
  CallOptions none, call_also, call_other, call_nothing;
  call_also.allow_also = answer;
  call_other.allowlist = other;
  call_nothing.allowlist = list("[]");
  EXPECT_EQ(status(options(), none), Status::denied);
  EXPECT_EQ(status(options(), call_also), Status::ok);
  EXPECT_EQ(status(old, none), Status::denied);
  EXPECT_EQ(status(old, call_also), Status::ok);
  EXPECT_EQ(status(also, none), Status::ok);
  EXPECT_EQ(status(also, call_other), Status::ok);
  EXPECT_EQ(status(also, call_nothing), Status::ok);
}

TEST_F(Registries, NamedTypesResolveInNotation) {
  install_sample(directory);
  RegistryOptions with = options();
  with.types = {{"track", "3 * test.point"}, {"loop", "?loop"}};
  const Registry registry = Registry::open(with);
  ASSERT_EQ(registry.types().size(), 3u);
  EXPECT_EQ(registry.types()[1].name, "test.point");
  EXPECT_EQ(registry.types()[1].origin, "test.sample");
  EXPECT_EQ(type::print(registry.parse_type("2 * track")), "2 * 3 * {x: float64, y: float64}");
  EXPECT_EQ(
      message_of([&] { (void)registry.parse_type("test.line"); }, Status::malformed).substr(0, 24),
      "unknown type 'test.line'");
  EXPECT_NE(message_of([&] { (void)registry.parse_type("5 * loop"); }, Status::limit), "");
}

TEST_F(Registries, Streams) {
  ValueStream stream(sample_registry().codec("raw"));
  Value value;
  stream.feed("ab.cd");
  EXPECT_TRUE(stream.next(value));
  EXPECT_EQ(stream.position(), 3u);
  EXPECT_EQ(bytes_of(value), "ab");
  EXPECT_FALSE(stream.next(value));
  EXPECT_FALSE(stream.is_worth_trying());
  stream.end();
  EXPECT_EQ(message_of([&] { stream.next(value); }, Status::truncated),
            "the last message has no end");
  EXPECT_TRUE(value.view().is_null());
}

TEST_F(Registries, SniffingChoosesOneOrNone) {
  const Registry registry = sample_registry();
  const auto chosen = [&](const char* bytes, const char* name = "") {
    return registry.choose(Source::view(bytes, name));
  };
  EXPECT_EQ(chosen("RAW!..").codec->name, "test.raw");
  EXPECT_EQ(registry.records()[0].outcome, Outcome::listed)
      << "a unique magic number decides without loading";
  EXPECT_EQ(chosen("R..").codec->name, "test.raw");
  EXPECT_EQ(chosen("V..").codec->name, "test.twin");
  // Who owns the extension is asked first, and nobody else where it is likely to be its own.
  EXPECT_EQ(chosen("E..", "x.twin").codec->name, "test.twin");
  EXPECT_EQ(chosen("E..", "x.twin").by, ChosenBy::content);
  EXPECT_EQ(chosen("E..", "x.raw").codec->name, "test.raw");
  EXPECT_EQ(chosen("R..", "x.twin").codec->name, "test.raw") << "the owner scores below 50";
  EXPECT_EQ(chosen("W..", "dir.twin/x.RAW").codec->name, "test.raw");
  EXPECT_EQ(chosen("W..", "dir.twin/x.RAW").by, ChosenBy::extension);
  for (const char* name : {"", "x.bin"}) {
    const std::string tie = message_of([&] { chosen("E..", name); }, Status::ambiguous);
    EXPECT_NE(tie.find("test.raw: score 60"), std::string::npos) << tie;
    EXPECT_NE(tie.find("test.twin: score 60"), std::string::npos) << tie;
    EXPECT_LT(tie.find("from.codec"), tie.find("test.raw")) << "the advice comes before the list";
  }
  EXPECT_NE(message_of([&] { chosen("W.."); }, Status::ambiguous), "");
  EXPECT_NE(message_of([&] { chosen("0"); }, Status::not_found), "");
  // Certainly not, whatever the file is called: the codec that alone has the extension says so.
  const auto refused = attempt([&] { return registry.decode(Source::view("0", "x.raw")); });
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Status::malformed);
  EXPECT_EQ(refused.error().codec(), "test.raw");
  EXPECT_NE(message_of([&] { chosen("0", "x.raw"); }, Status::malformed).find("first byte"),
            std::string::npos);
  const auto ranked = registry.sniff(Source::view("R"));
  ASSERT_EQ(ranked.size(), 2u + test::own_codecs);
  EXPECT_EQ(ranked[0].codec->name, "test.raw");
  EXPECT_EQ(ranked[0].score, 80u);
  EXPECT_EQ(ranked[0].reason, "first byte");
}

TEST_F(Registries, TheErrorOfTheOnlyOwnerIsTheError) {
  const Registry registry = sample_registry();
  // It rules the bytes out, and its decoder fails.
  const std::atomic<bool> stop{true};
  ReadOptions cancelled;
  cancelled.cancel = &stop;
  const auto refused =
      attempt([&] { return registry.read(Source::view("C", "x.raw"), cancelled); });
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Status::cancelled);
}

TEST_F(Registries, BytesThatNobodyKnowsAreNamed) {
  const Registry registry = sample_registry();
  const auto said = [&](std::string_view bytes, const char* name = "x.unknown") {
    return message_of([&] { registry.choose(Source::view(bytes, name)); }, Status::ambiguous);
  };
  using namespace std::string_view_literals;
  for (const auto& [bytes, word] : std::initializer_list<std::pair<std::string_view, const char*>>{
           {""sv, "it is empty"},
           {"\x1f\x8b\x08\0\0\0\0\0\0\x03"sv, "gzip"},
           {"\x28\xb5\x2f\xfd\x24"sv, "zstd"},
           {"\xfd"
            "7zXZ\0\0"sv,
            "with xz"},
           {"BZh91AY&SY\x12"sv, "bzip2"},
           {"\x04\x22\x4d\x18\x64"sv, "lz4"},
           {"\xff\xfe"
            "a\0"sv,
            "UTF-16"},
           {"\xfe\xff\0a"sv, "UTF-16"},
           {"\xff\xfe\0\0a\0\0\0"sv, "UTF-32"},
           {"o\0b\0j\0e\0c\0t\0"sv, "UTF-16LE"},
           {"\0o\0b\0j\0e\0c\0t"sv, "UTF-16BE"},
           {"\xef\xbb\xbf"
            "a"sv,
            "byte order mark"},
           {"\0\0\0\0\0"sv, "bytes are 0"},
           {"\0\0\0\x03"
            "abc\0\0\0\x01"
            "d"sv,
            "4 bytes, big-endian"},
           {"\x03\0\0\0"
            "abc\x01\0\0\0"
            "d"sv,
            "4 bytes, little-endian"},
           {"\x03"
            "abc\x04"
            "defg"sv,
            "varint"}}) {
    const std::string message = said(bytes);
    EXPECT_NE(message.find(word), std::string::npos) << message;
    EXPECT_LT(message.find(word), 120u) << message;
    EXPECT_NE(message.find("from.codec"), std::string::npos) << message;
  }
  // Lengths that do not fill the input are not frames.
  EXPECT_EQ(message_of(
                [&] {
                  registry.choose(
                      Source::view("\x03"
                                   "abc\x05"
                                   "defg"sv));
                },
                Status::not_found)
                .find("varint"),
            std::string::npos);
}

TEST_F(Registries, ARefusedOwnerOfTheExtensionIsTheFirstLine) {
  const auto owner = [&](const char* id) {
    std::string text = manifest(id, codec(id));
    text.replace(text.find("\"extensions\": []"), 16, "\"extensions\": [\".vox\"]");
    return text;
  };
  const auto said = [&](const RegistryOptions& with, Status code) {
    const Registry registry = Registry::open(with);
    return message_of([&] { (void)registry.decode(Source::view("?", "a.VOX")); }, code);
  };
  const auto begins = [](const std::string& text, const std::string& start) {
    EXPECT_EQ(text.substr(0, start.size()), start) << text;
  };
  install_sample(directory);
  write(directory / "vox.polycodec.json", owner("vox"));
  // Its library is not there.
  begins(said(options(), Status::plugin),
         "plugin 'vox', which reads files of this name, is rejected");
  RegistryOptions denied = options();
  denied.policy.deny_plugins = {"vox"};
  begins(said(denied, Status::plugin), "plugin 'vox'");
  RegistryOptions without = options();
  without.policy.deny_codecs = {{"vox"}};
  begins(said(without, Status::plugin), "codec 'vox', which reads files of this name, is rejected");
  // Others may write to the manifest, or to its directory.
  std::filesystem::permissions(directory / "vox.polycodec.json", std::filesystem::perms(0666));
  begins(said(options(), Status::plugin), "plugin 'vox'");
  std::filesystem::permissions(directory, std::filesystem::perms(0777));
  begins(said(options(), Status::plugin), "plugin 'vox'");
  EXPECT_NE(said(options(), Status::plugin).find("(path)"), std::string::npos);
}

TEST_F(Registries, MessageHeadersChooseWithinThePolicy) {
  const Registry registry = sample_registry();
  Header header;
  header.codec = "test.twin";
  const std::string body = "RAW! looks like the other codec";
  const std::string message = build_frame(header, body.size()) + body;
  const Match choice = registry.choose(Source::view(message));
  EXPECT_EQ(choice.codec->name, "test.twin");
  EXPECT_EQ(choice.by, ChosenBy::header);
  EXPECT_EQ(bytes_of(registry.decode(Source::view(message))), body);
  RegistryOptions strict = options();
  strict.policy.deny_codecs = {{"test.twin"}};
  const Registry careful = Registry::open(strict);
  EXPECT_NE(message_of([&] { (void)careful.decode(Source::view(message)); }, Status::denied), "");
  header.codec = "test.gone";
  const std::string unknown = build_frame(header, body.size()) + body;
  EXPECT_NE(message_of([&] { (void)registry.decode(Source::view(unknown)); }, Status::not_found),
            "");
  header.codec = "test.raw";
  header.options = R"({"level": 99})";
  const std::string bad = build_frame(header, body.size()) + body;
  EXPECT_NE(message_of([&] { (void)registry.decode(Source::view(bad)); }, Status::option), "");
}

TEST_F(Registries, PolicyIsAskedBeforeAnythingIsLoaded) {
  install_sample(directory);
  RegistryOptions strict = options();
  strict.policy.deny_plugins = {"test.*"};
  const Registry none = Registry::open(strict);
  EXPECT_EQ(none.codecs().size(), test::own_codecs);
  EXPECT_EQ(none.records().at(0).stage, Stage::policy);
  EXPECT_NE(none.explain_missing("raw").find("deny_plugins"), std::string::npos);
  RegistryOptions reading = options();
  reading.policy.deny_codecs = {{"test.raw", false, true}};
  const Registry reader = Registry::open(reading);
  const Value value = reader.decode(Source::view("RAW!"));
  EXPECT_EQ(
      attempt([&] { reader.codec("raw").encode(value.view(), *std::make_unique<BufferSink>()); })
          .error()
          .code(),
      Status::denied);
  RegistryOptions closed = options();
  closed.policy.deny_codecs = {{"*"}};
  const Registry shut = Registry::open(closed);
  EXPECT_EQ(attempt([&] { return shut.codec("raw"); }).error().code(), Status::denied);
  EXPECT_EQ(shut.records().at(0).outcome, Outcome::listed);
}

TEST_F(Registries, DuplicatesGoToTheFirst) {
  write(directory / "a.polycodec.json",
        manifest("a", codec("one", "\"uno\"") + "," + codec("two")));
  write(directory / "b.polycodec.json",
        manifest("b", codec("one") + "," + codec("three", "\"uno\", \"two\"")));
  make(root / "more");
  write(root / "more" / "a.polycodec.json", manifest("a", codec("four")));
  RegistryOptions both = options();
  both.plugin_paths.push_back(root / "more");
  const Registry registry = Registry::open(both);
  ASSERT_EQ(registry.codecs().size(), 3u + test::own_codecs);
  EXPECT_EQ(registry.find("one")->plugin_id, "a");
  EXPECT_EQ(registry.find("uno")->name, "one");
  EXPECT_EQ(registry.find("two")->plugin_id, "a");
  EXPECT_EQ(registry.find("four"), nullptr);
  int notes = 0, refused = 0;
  for (const auto& record : registry.records()) {
    if (record.stage != Stage::duplicate) continue;
    notes += record.outcome == Outcome::note;
    refused += record.outcome == Outcome::refused;
  }
  EXPECT_EQ(notes, 3) << "codec one, aliases uno and two";
  EXPECT_EQ(refused, 1);
}

TEST_F(Registries, MissingCodecsAreExplained) {
  install_sample(directory);
  write(directory / "broken.polycodec.json", "{");
  RegistryOptions more = options();
  more.plugin_paths.push_back(root / "absent");
  make(root / "empty");
  more.plugin_paths.push_back(root / "empty");
  const Registry registry = Registry::open(more);
  const auto result = attempt([&] { return registry.codec("test.row"); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Status::not_found);
  const std::string& text = result.error().message();
  for (const std::string part :
       {"'test.row'", "did you mean 'test.raw'", "(options): missing", "(options): empty",
        "broken.polycodec.json", "rejected (manifest)", "what to do"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(Registries, BuiltInPluginsComeFirstAndAreCheckedLikeOthers) {
  // Stands for a plugin that is linked in: an entry object and the text of its manifest.
  void* const library = ::dlopen((sample() / "sample.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto* entry =
      static_cast<const polycodec_plugin*>(::dlsym(library, POLYCODEC_ENTRY_SYMBOL));
  const std::string text = read_file(sample() / "test.sample.polycodec.json");
  install_sample(directory);
  RegistryOptions with = options();
  with.builtins = {{entry, text}};
  const Registry registry = Registry::open(with);
  EXPECT_TRUE(registry.find("raw")->library.empty());
  EXPECT_EQ(bytes_of(registry.codec("raw").decode(Source::view("x"))), "x");
  std::string lying = text;
  lying.replace(lying.find("1.2.3"), 5, "1.2.4");
  with.builtins = {{entry, lying}};
  EXPECT_EQ(Registry::open(with).probe("test.sample").stage, Stage::identity);
}

TEST_F(Registries, LogLinesArrive) {
  install_sample(directory);
  write(directory / "broken.polycodec.json", "{");
  std::mutex mutex;
  std::string lines;
  RegistryOptions with = options();
  with.log = [&](polycodec_log_level, std::string_view source, std::string_view text) {
    const std::lock_guard lock(mutex);
    lines += std::string(source) + ": " + std::string(text) + "\n";
  };
  (void)Registry::open(with).codec("raw");
  EXPECT_NE(lines.find("registry: "), std::string::npos);
  EXPECT_NE(lines.find("rejected (manifest)"), std::string::npos);
  EXPECT_NE(lines.find("plugin: opened"), std::string::npos);
}

TEST_F(Registries, ManyRefusalsAreOneWarning) {
  std::vector<std::string> warnings;
  std::string rest;
  RegistryOptions with = options();
  with.log = [&](polycodec_log_level level, std::string_view, std::string_view text) {
    if (level >= POLYCODEC_LOG_WARNING)
      warnings.emplace_back(text);
    else
      rest += std::string(text) + "\n";
  };
  for (int i = 1; i <= 70; ++i) {
    write(directory / ("broken" + std::to_string(i) + ".polycodec.json"), "{");
    if (i > 2 && i < 70) continue;
    warnings.clear();
    const Registry registry = Registry::open(with);
    ASSERT_EQ(warnings.size(), 1u) << i;
    EXPECT_NE(warnings[0].find("rejected (manifest)"), std::string::npos) << warnings[0];
    const std::string others = i == 1   ? ""
                               : i == 2 ? "; and 1 other: `polycodec doctor` lists all"
                                        : "; and 69 others: `polycodec doctor` lists all";
    EXPECT_TRUE(warnings[0].ends_with(others)) << warnings[0];
    EXPECT_EQ(warnings[0].find("doctor") == std::string::npos, i == 1) << warnings[0];
    EXPECT_EQ(registry.records().size(), static_cast<std::size_t>(i)) << "all are recorded";
  }
  EXPECT_NE(rest.find("broken70"), std::string::npos) << "who asks for more is told each";
}

}  // namespace
}  // namespace polycodec
