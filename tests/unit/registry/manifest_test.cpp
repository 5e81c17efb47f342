// SPDX-License-Identifier: MIT
#include "registry/load/manifest.hpp"

#include "core/text/text.hpp"
#include "plugin_directory.hpp"
#include "registry/load/builtin_table.hpp"

namespace polycodec {
namespace {

std::string sample_text() {
  return read_file(std::filesystem::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins" /
                   "test.sample.polycodec.json");
}

/// The sample's manifest with one piece of text replaced.
std::string changed(const std::string& what, const std::string& with) {
  std::string text = sample_text();
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string refusal(const std::string& text) {
  return message_of([&] { (void)parse_manifest(text, "m.json"); }, Status::plugin);
}

TEST(Manifest, SaysAllThatItSays) {
  const Manifest m = parse_manifest(sample_text(), "m.json");
  EXPECT_EQ(m.id, "test.sample");
  EXPECT_EQ(m.version, "1.2.3");
  ASSERT_EQ(m.codecs.size(), 2u);
  const CodecInfo& raw = m.codecs[0];
  EXPECT_EQ(raw.name, "test.raw");
  EXPECT_EQ(raw.aliases, std::vector<std::string>{"raw"});
  ASSERT_EQ(raw.magic.size(), 1u);
  EXPECT_EQ(raw.magic[0].bytes, "RAW!");
  EXPECT_EQ(raw.magic[0].score, 95u);
  EXPECT_TRUE(raw.can_read_stream && raw.takes(POLYCODEC_INPUT_BYTES));
  EXPECT_FALSE(raw.can_write_stream || raw.takes(POLYCODEC_INPUT_STORE));
  EXPECT_FALSE(m.codecs[1].can_encode);
  EXPECT_EQ(m.functions, (std::vector<std::vector<std::string>>{{"test", "answer"}}));
  EXPECT_EQ(m.types.at(0).first, "test.point");
}

TEST(Manifest, UnknownKeysNameTheLineAndNearKeys) {
  const std::string text = refusal(changed("\"summary\": \"two", "\"sumary\": \"two"));
  EXPECT_TRUE(text.starts_with("m.json:7: ")) << text;
  EXPECT_NE(text.find("did you mean 'summary'?"), std::string::npos) << text;
}

TEST(Manifest, EachFaultIsNamed) {
  const struct {
    const char* what;
    const char* with;
    const char* message;
  } cases[] = {
      {"\"manifest\": 2", "\"manifest\": 3", "revision 3"},
      {"\"version\": \"1.2.3\",", "", "'version' is missing"},
      {"1.2.3", "1.2", "major.minor.patch"},
      {"test.sample", "Test", "not a plugin id"},
      {"sample.so", "../sample.so", "without a directory"},
      {"sample.so", "sample.dll", "without a directory"},
      {"\"sample.so\"", "{\"linux_amd64\": \"../sample.so\"}", "without a directory"},
      {"\"sample.so\"", "{\"linux_x86_64\": \"sample.so\"}", "'linux_x86_64' is not a platform"},
      {"\"sample.so\"", "{\"amd64\": \"sample.so\"}", "'amd64' is not a platform"},
      {"\"sample.so\"", "{\"linux_amd64\": 3}", "must be a string, not an integer"},
      {"\"sample.so\"", "[\"sample.so\"]", "must be a string or an object"},
      {"\"abi\": 2", "\"abi\": 0", "'abi' must be at least 1"},
      {"\"abi\": 2", "\"abi\": {\"min\": 1, \"max\": 2}",
       "'abi' must be an integer, not an object"},
      {"\"name\": \"test.raw\"", "\"name\": \"test raw\"", "not a name of a codec"},
      {"test.twin\", \"summ", "test.raw\", \"summ", "two codecs are called"},
      {"[\"raw\"]", "[\"test.twin\"]", "two codecs are called"},
      {"\"application/x-test-raw\"", "\"raw\"", "media type"},
      {"\".raw\"", "\"raw\"", "extension"},
      {"52415721", "5241572", "hex"},
      {"52415721", "zz", "hex"},
      {"\"score\": 95", "\"score\": 0", "1 to 100"},
      {"\"offset\": 0", "\"offset\": 5000", "4096"},
      {"[\"bytes\"]", "[\"byte\"]", "'codecs[0].inputs[0]' must be"},
      {"[\"bytes\"]", "[]", "needs bytes, a file or a store"},
      {"\"decode\": true, \"encode\": false", "\"decode\": false, \"encode\": false",
       "decode or encode"},
      {"\"maximum\": 9", "\"maximum\": \"9\"", "must be a number"},
      {"\"maximum\": 9", "\"maximun\": 9", "'maximum'"},
      {"\"type\": \"integer\"", "\"type\": \"int\"", "unknown type 'int'"},
      {"\"default\": 1", "\"default\": 10", "default does not fit"},
      {"[[\"test\", \"answer\"]]", "[\"answer\"]", "'functions[0]' must be a list, not a string"},
      {"\"{x: float64, y: float64}\"", "3", "must be a string, not an integer"},
  };
  for (const auto& c : cases) {
    const std::string text = refusal(changed(c.what, c.with));
    EXPECT_NE(text.find(c.message), std::string::npos) << c.with << " -> " << text;
    EXPECT_TRUE(text.starts_with("m.json:")) << text;
  }
}

TEST(Manifest, TruncatedAnywhereIsRefused) {
  const std::string text = sample_text();
  const auto end = text.rfind('}');
  for (std::size_t size = 0; size < end; size += 7)
    EXPECT_NE(refusal(text.substr(0, size)), "") << size;
}

TEST(Manifest, DuplicateKeysAndDepthAreRefused) {
  EXPECT_NE(refusal("{\n\"id\": \"a\",\n\"id\": \"b\"}").find("m.json:3: duplicate key 'id'"),
            std::string::npos);
  const std::string deep(100000, '[');
  EXPECT_NE(refusal(deep).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal("{\"id\": \"\xff\"}").find("not JSON"), std::string::npos);
}

// No start of a program checks it.
TEST(Manifests, TheOneOfTheLibraryIsGood) {
  const std::string text =
      test::read_file(std::string(POLYCODEC_SOURCE_DIR) + "/registry/json/json.polycodec.json");
  EXPECT_EQ(parse_manifest(text, "own").codecs.size(), 2u);
}

// The library takes those of its own package as they are.
TEST(PackageManifests, PassAllChecks) {
  ASSERT_FALSE(package_plugins().empty());
  for (const PackagePlugin& plugin : package_plugins()) {
    const Manifest checked = parse_manifest(plugin.manifest, plugin.id);
    EXPECT_EQ(checked.id, plugin.id);
    const Manifest taken = read_checked_manifest(parse_json(plugin.manifest), plugin.id);
    EXPECT_EQ(taken.codecs.size(), checked.codecs.size());
  }
}

}  // namespace
}  // namespace polycodec
