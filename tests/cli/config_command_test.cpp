// SPDX-License-Identifier: MIT
// `polycodec config`: check, show, schema.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;
using polycodec::test::run_line;
using polycodec::test::shell_word;

TEST_F(Command, ConfigCheckNamesEveryLineKeyAndNearKey) {
  write("c.json", R"({
  "limits": {
    "max_dept": 3,
    "max_nodes": "many"
  },
  "policy": {"mode": "listd",
    "pins": {"a": "12"}},
  "plugins": {"paths": ["/opt",
     "here"]},
  "rules": [
    {"when": {"file": "*.x", "peers": "y"}, "codec": "dynd"},
    {"when": {}}
  ]
})");
  const Finished check = run({"config", "check", "c.json"});
  EXPECT_EQ(check.status, 2);  // as for all bad configuration files
  for (const char* line :
       {"c.json:3: unknown key 'limits.max_dept' (did you mean 'max_depth'",
        "c.json:4: 'limits.max_nodes' must be an integer, not a string",
        "c.json:6: 'policy.mode' must be 'open' or 'listed', not 'listd' (did you mean "
        "'listed'?)",
        "c.json:7: 'policy.pins.a' must be a SHA-256 digest of 64 hex digits, not '12'",
        "c.json:9: 'plugins.paths[1]' must be an absolute path, not 'here'",
        "c.json:11: unknown key 'rules[0].when.peers' (did you mean 'peer'?)",
        "c.json:12: 'rules[1].codec' is missing"})
    EXPECT_NE(check.out.find(line), std::string::npos) << line << "\n" << check.out << check.err;
  const Json object = Json::parse(run({"config", "check", "c.json", "--json"}).out);
  EXPECT_FALSE(object["ok"]);
  EXPECT_EQ(object["problems"].size(), 7u);
  EXPECT_EQ(object["problems"][0]["line"], 3);
  EXPECT_EQ(object["problems"][0]["key"], "limits.max_dept");
}

TEST_F(Command, ConfigCheckKnowsWhatNoSchemaCanSay) {
  const auto first = [&](const std::string& text) {
    write("c.json", text);
    const Finished check = run({"config", "check", "c.json"});
    EXPECT_EQ(check.status, 2) << text;
    return check.out;
  };
  EXPECT_NE(first("{\n\"rules\": [{\"when\": {\"type\": \"3 * flot\"}, \"codec\": \"dynd\"}]}")
                .find("c.json:2: 'rules[0].when.type' is not a type"),
            std::string::npos);
  EXPECT_NE(first("{\n\"rules\": [\n").find("c.json:3: not JSON"), std::string::npos);
  EXPECT_NE(first("{\"log_level\": \"info\",\n\"log_level\": \"info\"}")
                .find("c.json:2: duplicate key 'log_level'"),
            std::string::npos);
  EXPECT_NE(first(R"({"rules": [{"when": {"min_size": 5, "max_size": 3}, "codec": "dynd"}]})")
                .find("would never apply"),
            std::string::npos);
  EXPECT_NE(first("{\"rules\": [\n{\"when\": {\"file\": \"*\"}, \"codec\": \"msgpack-ndarray\", "
                  "\"options\": {\"no "
                  "such\": 1}}]}")
                .find("c.json:2: 'rules[0].options': "),
            std::string::npos);
}

TEST_F(Command, HostileConfigurationsAreErrorsWithALine) {
  const auto times = [](const char* word, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += word;
    return all;
  };
  write("value.json", "[1]");
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "not JSON"},
           {"key = value\n", "not JSON"},
           {std::string("{}\0", 3), "not JSON"},
           {"{\"log_level\": \"\xff\"}", "not valid UTF-8"},
           {R"({"log_level": "inf)", "ends within a string"},
           {R"({"rules": [{"codec": "ply")", "the text ends"},
           {"[1]", "must be an object"},
           {R"("limits")", "must be an object"},
           {"1e999", "too great"},
           {times("{\"limits\":", 50000), "nested deeper"},
           {times("[", 50000), "nested deeper"},
           {R"({"limits": {"max_work": )" + times("9", 90000) + "}}", "does not fit"},
           {R"({"limits": {"max_depth": -1}})", "at least 0"},
           {R"({"limits": {"max_depth": 1e30}})", "must be an integer"},
           {R"({"limits": {}, "limits": {}})", "duplicate key"},
           {R"({"rules": 3, "policy": [], "plugins": "x", "limits": null})", "must be a list"},
           {R"({"plugins": {"paths": ["../x"]}})", "absolute path"},
           {R"({"allowlist": [[1], "os.system"]})", "not an allowlist"},
           {"{\"" + times("k", 90000) + "\": 1}", "unknown key"},
           {R"({"__proto__": {}, "\u001b[31m": 1})", "unknown key"},
           {R"({"rules": [{"when": {"type": ")" + times("3 * ", 20000) +
                R"(int8"}, "codec": "ply"}]})",
            "not a type"}}) {
    write("c.json", text);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"config", "check", "c.json"},
          {"inspect", "value.json", "--config", "c.json"}}) {
      const Finished done = run(words);
      const std::string said = done.out + done.err;
      EXPECT_EQ(done.status, 2) << text.substr(0, 60) << said;
      EXPECT_NE(said.find("c.json:1: "), std::string::npos) << text.substr(0, 60) << said;
      EXPECT_NE(said.find(why), std::string::npos) << text.substr(0, 60) << said;
      EXPECT_LT(said.size(), 4000u) << text.substr(0, 60);
      EXPECT_EQ(said.find('\x1b'), std::string::npos) << said;
    }
  }
}

TEST_F(Command, RulesNameTypesOfPlugins) {
  write("c.json", R"({"rules": [{"when": {"type": "mesh"}, "codec": "obj"},
                      {"when": {"type": "3 * own"}, "codec": "dynd"}],
                      "types": {"own": "float64"}})");
  const Finished check = run({"config", "check", "c.json"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST_F(Command, ConfigCheckWarnsOfWhatNeverHappens) {
  write(
      "c.json",
      "{\"rules\": [{\"codec\": \"dynd\"},\n{\"when\": {\"file\": \"*\"}, \"codec\": \"dyndy\"}]}");
  const Finished check = run({"config", "check", "c.json"});
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_NE(check.out.find("c.json:2: warning: 'rules[1]': never applies"), std::string::npos)
      << check.out;
  EXPECT_NE(check.out.find("there is no codec 'dyndy' (did you mean 'dynd'"), std::string::npos)
      << check.out;
  EXPECT_EQ(run({"config", "check", "c.json", "--no-codecs"}).out.find("dyndy"), std::string::npos);
  write("good.json", R"({"limits": {"max_depth": 64}})");
  EXPECT_EQ(run({"config", "check", "good.json"}).out, "good.json: good\n");
}

TEST_F(Command, ConfigShowSaysWhoSaidIt) {
  write("c.json",
        "{\n\"limits\": {\n\"max_depth\": 64},\n\"log_level\": \"error\",\n\"allowlist\": "
        "[[\"zlib\", \"*\"]]}");
  const Finished show =
      run({"config", "show", "--config", "c.json", "--limits", R"({"max_nodes": 9})"}, "",
          "POLYCODEC_PLUGIN_PATH=/opt/none");
  EXPECT_EQ(show.status, 0) << show.err;
  for (const char* line :
       {"configuration file: c.json", "limits.max_depth = 64  (c.json:3)",
        "limits.max_nodes = 9  (--limits)", "limits.max_header_bytes = 1048576  (default)",
        "log_level = \"error\"  (c.json:4)", "policy.mode = \"open\"  (default)",
        "plugins.add_paths = []  ($POLYCODEC_PLUGIN_PATH = /opt/none first)",
        "allowlist = [[\"zlib\",\"*\"]]  (c.json:5)"})
    EXPECT_NE(show.out.find(line), std::string::npos) << line << "\n" << show.out;
  const Json object =
      Json::parse(run({"config", "show", "--config", "c.json", "--json", "--changed"}).out);
  EXPECT_EQ(object["settings"].size(), 3u) << object;
  EXPECT_EQ(object["settings"]["limits.max_depth"]["value"], 64);
  const Finished environment = run({"config", "show", "--changed"}, "",
                                   "POLYCODEC_CONFIG=" + (directory_ / "c.json").string());
  EXPECT_NE(environment.out.find("c.json:3"), std::string::npos) << environment.out;
  EXPECT_NE(run({"config", "show"}).out.find("configuration file: none"), std::string::npos);
}

TEST_F(Command, TheEnvironmentHasNoSayWhereTheConfigurationSaysSo) {
  write("c.json", R"({"plugins": {"use_environment": false}})");
  fs::create_directory(directory_ / "others");
  const std::string others = (directory_ / "others").string();
  const std::string environment = "POLYCODEC_PLUGIN_PATH=" + shell_word(others);
  const auto is_searched = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"doctor", "--json"});
    const Json found = Json::parse(run(words, "", environment).out);
    return found["directories"].dump().find(others) != std::string::npos;
  };
  EXPECT_TRUE(is_searched({}));
  EXPECT_FALSE(is_searched({"--config", "c.json"}));
  const Finished show = run({"config", "show", "--config", "c.json"});
  EXPECT_NE(show.out.find("plugins.use_environment = false  (c.json:1)"), std::string::npos)
      << show.out;
}

TEST_F(Command, ConfigSchemaAndParserKnowTheSameKeys) {
  const Json schema = Json::parse(run({"config", "schema"}).out);
  // A file with every key that the schema knows is one that the parser accepts, and the keys of
  // what is shown are the keys of the schema.
  const Json shown = Json::parse(run({"config", "show", "--json"}).out)["settings"];
  for (const auto& [section, what] : schema["properties"].items()) {
    if (!what.contains("properties")) {
      EXPECT_TRUE(shown.contains(section) || section == "allowlist" || section == "allow_also")
          << section;
      continue;
    }
    for (const auto& [key, member] : what["properties"].items())
      EXPECT_TRUE(shown.contains(section + "." + key)) << key;
    for (const auto& [key, member] : what["properties"].items()) {
      if (!member.contains("default")) continue;
      EXPECT_EQ(shown[section + "." + key]["value"], member["default"]) << key;
    }
  }
  for (const auto& [name, unused] : shown.items()) {
    const std::size_t dot = name.find('.');
    const Json& section = schema["properties"][name.substr(0, dot)];
    EXPECT_TRUE(dot == name.npos ? !section.is_null()
                                 : section["properties"].contains(name.substr(dot + 1)))
        << name;
  }
}

TEST_F(Command, RulesChooseCodecAndOptions) {
  write("v.json", R"({"type": "3 * float64", "value": [1.0, 2.0, 3.0]})");
  write(
      "c.json",
      R"({"rules": [{"when": {"type": "N * float64"}, "codec": "msgpack-ndarray"}], "defaults": {"codec": "dynd"}})");
  EXPECT_EQ(run({"encode", "v.json", "--config", "c.json", "-o", "out"}).status, 0);
  EXPECT_EQ(Json::parse(run({"sniff", "out", "--json"}).out)["chosen"], "msgpack-ndarray");
  write(
      "c.json",
      R"({"rules": [{"when": {"type": "N * float64"}, "codec": "msgpack-ndarray", "options": {"nonsense": 1}}]})");
  const Finished refused = run({"encode", "v.json", "--config", "c.json", "-o", "out"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("nonsense"), std::string::npos) << refused.err;
}

TEST_F(Command, ARuleChoosesTheOutputByItsValue) {
  write("in.json", "[1, 2]");
  write("c.json", R"({"rules": [{"when": {"type": "string"}, "codec": "dynd"},
                                {"when": {"type": "N * int64"}, "codec": "msgpack-ndarray"}]})");
  const Finished done = run({"convert", "in.json", "out", "--config", "c.json"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read_file(directory_ / "out"), "\x92\x01\x02");
}

// The example of a host that chooses formats by configuration only: another file, another format,
// no rebuild.
TEST_F(Command, AConfiguredHostWritesWhatTheFileSays) {
  const auto host = [&](const std::string& config) {
    write("c.json", config);
    const Finished done =
        run_line(directory_, shell_word(POLYCODEC_BIN_DIR "/example_configured_host") + " c.json " +
                                 shell_word(vector("nd_f8_le_2x4")) + " out");
    return std::to_string(done.status) + " " + done.out + done.err;
  };
  EXPECT_EQ(host(R"({"rules": [{"when": {"type": "N * M * float64"}, "codec": "dynd"}]})"),
            "0 out: dynd\n");
  EXPECT_EQ(Json::parse(run({"sniff", "out", "--json"}).out)["chosen"], "dynd");
  EXPECT_EQ(
      host(
          R"({"rules": [{"when": {"type": "N * M * float64", "min_size": 1000000}, "codec": "dynd"},
                               {"when": {"file": "o*t"}, "codec": "msgpack-ndarray"}]})"),
      "0 out: msgpack-ndarray\n");
  EXPECT_EQ(Json::parse(run({"sniff", "out", "--json"}).out)["chosen"], "msgpack-ndarray");
  EXPECT_EQ(host(R"({"rules": [{"when": {"peer": "x"}, "codec": "dynd"}]})").substr(0, 37),
            "1 cannot choose an output format for ");
}

}  // namespace
