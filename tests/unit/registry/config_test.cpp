// SPDX-License-Identifier: MIT
#include "registry/config/config.hpp"

#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/text/text.hpp"
#include "plugin_directory.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/rules.hpp"
#include "registry/document/json_schema.hpp"

namespace polycodec {
namespace {

constexpr const char* everything = R"({
  "plugins": {"paths": ["/opt/a"], "add_paths": ["/opt/b"], "use_environment": false, "use_builtins": false},
  "policy": {"mode": "listed", "allow_plugins": ["a"], "deny_plugins": ["b*"],
             "allow_codecs": ["ply", {"codec": "obj", "encode": false}], "deny_codecs": ["*"],
             "pins": {"a": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
             "require_pins": true, "trusted_owners": [1000]},
  "limits": {"max_depth": 64, "max_nodes": 1000},
  "allowlist": [["zlib", "decompress"]],
  "compression": [{"min_size": 100, "types": ["bool"], "contexts": ["*"], "method": "zlib", "level": -1}],
  "log_level": "info",
  "defaults": {"codec": "msgpack-ndarray", "options": {"ply": {"strict": true}}},
  "rules": [
    {"when": {"type": "N * float64", "min_size": 10, "max_size": 20, "peer": "lab*", "file": "*.dat",
              "media_type": "application/*"}, "codec": "fastbin", "options": {"x": 1}},
    {"when": {"file": "*.ply"}, "codec": "ply"}
  ]
})";

TEST(Config, EveryKeyIsRead) {
  const Configuration c = parse_config(everything, "c.json");
  EXPECT_EQ(c.registry.plugin_paths.at(0), "/opt/a");
  EXPECT_EQ(c.registry.add_paths.at(0), "/opt/b");
  EXPECT_FALSE(c.registry.use_environment || c.registry.use_builtins);
  const Policy& p = c.registry.policy;
  EXPECT_EQ(p.mode, Policy::Mode::listed);
  EXPECT_EQ(p.deny_plugins.at(0), "b*");
  EXPECT_FALSE(p.allow_codecs.at(1).encode);
  EXPECT_TRUE(p.allow_codecs.at(1).decode);
  EXPECT_EQ(p.pins.at("a").size(), 1u);
  EXPECT_TRUE(p.require_pins);
  EXPECT_EQ(p.trusted_owners.at(0), 1000u);
  EXPECT_EQ(c.registry.limits.max_depth, 64u);
  EXPECT_EQ(c.registry.limits.max_nodes, 1000u);
  EXPECT_EQ(c.registry.limits.max_work, Limits().max_work);
  EXPECT_EQ(c.registry.allowlist->specifiers().size(), 1u);
  EXPECT_EQ(c.registry.compression,
            R"([{"min_size":100,"types":["bool"],"contexts":["*"],"method":"zlib","level":-1}])");
  EXPECT_EQ(c.log_level, POLYCODEC_LOG_INFO);
  EXPECT_EQ(c.registry.default_options.at("ply"), R"({"strict":true})");
  EXPECT_EQ(c.rules.at(0).options, R"({"x":1})");
}

TEST(Config, RulesApplyWhenAllConditionsHold) {
  const Configuration c = parse_config(everything, "c.json");
  const Value value = parse_text(R"({"type":"3 * float64","value":[1,2,3]})");
  const Value other = parse_text(R"({"type":"3 * int32","value":[1,2,3]})");
  RuleFacts facts{value.root(), 15, "lab7", "/data/x.dat", "application/x"};
  EXPECT_EQ(c.choose(facts)->codec, "fastbin");
  facts.value = other.root();
  EXPECT_EQ(c.choose(facts)->codec, "msgpack-ndarray");
  facts = {value.root(), 21, "lab7", "/data/x.dat", "application/x"};
  EXPECT_EQ(c.choose(facts)->codec, "msgpack-ndarray");
  facts.size.reset();
  EXPECT_EQ(c.choose(facts)->codec, "msgpack-ndarray");
  facts = {};
  facts.file = "/a.dat/b.ply";
  EXPECT_EQ(c.choose(facts)->codec, "ply");
  EXPECT_FALSE(parse_config("{}", "c.json").choose(facts).has_value());
}

TEST(Config, ExtensionOfAFileIsAnOptionWhereItIsOneOfItsWords) {
  const Value schema = parse_json(
      R"({"properties": {"how": {"role": "extension", "enum": ["keep", "one", "two"]}, "n": {}}})");
  const auto options = [&](const char* given, const char* path) {
    return options_for_file(schema.view(), given, path);
  };
  EXPECT_EQ(options("", "a.two"), R"({"how":"two"})");
  EXPECT_EQ(options(R"({"n": 1})", "b/a.x.ONE"), R"({"n":1,"how":"one"})");
  for (const char* given : {"", "[]", R"({"how": "keep"})"}) {
    EXPECT_EQ(options(given, "a.three"), given);
    EXPECT_EQ(options(given, "one"), given);
  }
  EXPECT_EQ(options(R"({"how": "keep"})", "a.two"), R"({"how": "keep"})");
  EXPECT_EQ(options_for_file(NodeView(), "", "a.two"), "");
}

TEST(Config, RulesMayNameItsTypes) {
  const Configuration c = parse_config(
      R"({"types": {"point": "{x: float64}"},
"rules": [{"when": {"type": "3 * point"}, "codec": "a"}]})",
      "c.json");
  EXPECT_EQ(type::print(*c.rules.at(0).when->type), "3 * {x: float64}");
  EXPECT_EQ(c.registry.types.at("point"), "{x: float64}");
}

TEST(Config, ErrorsNameLineKeyAndNearKeys) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"{\n\n\"limit\": {}}", "c.json:3: unknown key 'limit' (did you mean 'limits'?)"},
      {"{\"limits\": {\n\"max_dept\": 3}}",
       "c.json:2: unknown key 'limits.max_dept' (did you mean 'max_depth'?)"},
      {"{\"limits\": {\n\"max_depth\": \"3\"}}",
       "c.json:2: 'limits.max_depth' must be an integer, not a string"},
      {"{\"limits\": {\"max_depth\": 100000}}", "at most 10000"},
      {"{\"limits\": []}", "c.json:1: 'limits' must be an object, not a list"},
      {"{\"plugins\": {\"paths\": [\"/a\",\n\"b\"\n]}}",
       "c.json:2: 'plugins.paths[1]' must be an absolute path"},
      {"{\"plugins\": {\"paths\": [\"/a\",\n3\n]}}",
       "c.json:2: 'plugins.paths[1]' must be a string, not an integer"},
      {"{\"policy\": {\"mode\": \"listd\"}}", "did you mean 'listed'?"},
      {"{\"policy\": {\"pins\": {\n\"a\": \"12\"}}}",
       "c.json:2: 'policy.pins.a' must be a SHA-256 digest"},
      {"{\"policy\": {\"allow_codecs\": [{\"codec\": \"a\",\n \"decod\": true}]}}",
       "c.json:2: unknown key"},
      {"{\"allowlist\": 3}", "c.json:1: 'allowlist'"},
      {"{\"log_level\": \"loud\"}", "'log_level' must be 'debug', 'info', 'warning' or 'error'"},
      {"{\"rules\": [{\"when\": {\n\"type\": \"3 * flot\"},\n\"codec\": \"a\"}]}",
       "c.json:2: 'rules[0].when.type' is not a type"},
      {"{\"rules\": [{}]}", "'rules[0].codec' is missing"},
      {"{\"rules\": [{\"codec\": \"/bin/sh\"}]}", "is not a codec name"},
      {"{\"compression\": [{\"method\": \"z\", \"level\": 1.5}]}",
       "'compression[0].level' must be an integer, not a number"},
      {"{\"defaults\": {\"options\": {\"ply\": 3}}}", "'defaults.options.ply' must be an object"},
      {"{\"log_level\": \"info\",\n\"log_level\": \"info\"}",
       "c.json:2: duplicate key 'log_level'"},
      {"{\n\"rules\": [\n", "c.json:3: not JSON"},
      {"", "c.json:1: not JSON"},
  };
  for (const auto& c : cases) {
    const std::string text =
        message_of([&] { (void)parse_config(c.text, "c.json"); }, Status::option);
    EXPECT_NE(text.find(c.message), std::string::npos) << c.text << " -> " << text;
  }
}

class ConfigFile : public PluginDirectory {};

TEST_F(ConfigFile, IsFoundThroughTheEnvironment) {
  EXPECT_TRUE(load_default_config().path.empty());
  write(root / "c.json", R"({"limits": {"max_depth": 7}})");
  ::setenv("POLYCODEC_CONFIG", (root / "c.json").c_str(), 1);
  const Configuration c = load_default_config();
  ::setenv("POLYCODEC_CONFIG", "c.json", 1);
  EXPECT_NE(message_of([] { (void)load_default_config(); }, Status::option), "");
  ::unsetenv("POLYCODEC_CONFIG");
  EXPECT_EQ(c.registry.limits.max_depth, 7u);
  EXPECT_EQ(c.path, root / "c.json");
  EXPECT_NE(message_of([&] { (void)load_config(root / "none.json"); }, Status::io), "");
}

TEST(Config, TypesThatNameEachOtherSayHowDeepTheyMayNest) {
  for (const char* types : {R"({"a": "a"})", R"({"a": "{x: b}", "b": "3 * a"})"}) {
    const std::string text =
        "{\"rules\": [{\"when\": {\"type\": \"a\"}, \"codec\": \"c\"}],\n\"types\": " +
        std::string(types) + "}";
    const std::string message =
        message_of([&] { (void)parse_config(text, "c.json"); }, Status::option);
    EXPECT_NE(message.find("the type nests deeper than the limit of 256"), std::string::npos)
        << message;
  }
}

TEST(Config, LinesOfManyPathsAreThoseOfEachAlone) {
  std::string text = "\n{\"rules\": [\n";
  for (int i = 0; i < 300; ++i)
    text += std::string(i == 0 ? "" : ",") + "{\"codec\":\n\"c\", \"when\": {\n\"file\": \"x\"}}\n";
  text += "], \"defaults\":\n {}}";
  JsonLines lines(text);
  for (int i = 0; i < 300; ++i) {
    const std::string index = std::to_string(i);
    const auto first = static_cast<std::size_t>(3 + 3 * i);
    EXPECT_EQ(lines.line({"rules", index}), first);
    EXPECT_EQ(lines.line({"rules", index, "codec"}), first + 1);
    EXPECT_EQ(lines.line({"rules", index, "when", "file"}), first + 2);
    EXPECT_EQ(lines.line({"rules", index, "when", "none", "x"}), first + 1) << "the innermost one";
  }
  EXPECT_EQ(lines.line({"defaults"}), 904u);
  EXPECT_EQ(lines.line({"rules", "5"}), 18u) << "back again";
  EXPECT_EQ(lines.line({"rules", "300"}), 2u);
  EXPECT_EQ(lines.line({}), 2u);
  EXPECT_EQ(JsonLines("no JSON").line({"a"}), 1u);
}

}  // namespace
}  // namespace polycodec
