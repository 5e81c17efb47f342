// SPDX-License-Identifier: MIT
// The command as its users run it: results, errors and exit statuses (docs/command-line.md).
#include <polycodec/abi.h>

#include "command.hpp"

#include <unistd.h>

#include <sstream>

namespace {

namespace fs = std::filesystem;
using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;
using polycodec::test::shell_word;

TEST_F(Command, ListSaysWhatThePolicyDenies) {
  write("c.json", R"({"policy": {"deny_codecs": ["msgpack-ndarray"]}})");
  const Json listed = Json::parse(run({"list", "--json", "--config", "c.json"}).out);
  const auto denied = [&](const std::string& name) {
    for (const Json& codec : listed["codecs"])
      if (codec["name"] == name) return codec["denied"].dump();
    return std::string("absent");
  };
  EXPECT_EQ(denied("msgpack-ndarray"), R"(["read","write"])");
  EXPECT_EQ(denied("dynd"), "[]");
  const std::string text = run({"list", "--config", "c.json"}).out;
  const auto line = [&](const std::string& name) {
    const std::size_t at = text.find("\n" + name + " ") + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_NE(line("msgpack-ndarray").find("denied by the policy: read, write"), std::string::npos)
      << text;
  EXPECT_EQ(line("dynd").find("denied"), std::string::npos) << text;
}

TEST_F(Command, ListNamesTheCodecs) {
  const Finished text = run({"list"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("msgpack-ndarray"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find('\x1b'), std::string::npos);  // no terminal, no colors
  const Json object = Json::parse(run({"list", "--json"}).out);
  bool found = false;
  for (const auto& codec : object["codecs"])
    found |= codec["name"] == "msgpack-ndarray" && codec["plugin"].contains("library");
  EXPECT_TRUE(found);
}

TEST_F(Command, InfoTellsOptions) {
  const Finished info = run({"info", "msgpack"});
  EXPECT_EQ(info.status, 0);
  EXPECT_NE(info.out.find("ext_code"), std::string::npos) << info.out;
  EXPECT_EQ(Json::parse(run({"info", "msgpack", "--json"}).out)["record"]["outcome"], "loaded");
}

TEST_F(Command, MissingCodecIsStatusThreeWithNearNamesAndPlaces) {
  const Finished info = run({"info", "msgpak"});
  EXPECT_EQ(info.status, 3);
  EXPECT_TRUE(info.out.empty());
  EXPECT_NE(info.err.find("msgpack"), std::string::npos) << info.err;
  EXPECT_NE(info.err.find("polycodec/plugins/abi2"), std::string::npos) << info.err;
  const Finished json = run({"decode", vector("mp_nil"), "--from", "nothing", "--json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_EQ(Json::parse(json.out)["error"]["code"], "not_found");
}

TEST_F(Command, DoctorLoadsEverything) {
  const Finished doctor = run({"doctor", "--json"});
  EXPECT_EQ(doctor.status, 0) << doctor.out << doctor.err;
  const Json object = Json::parse(doctor.out);
  EXPECT_TRUE(object["ok"]);
  EXPECT_FALSE(object["records"].empty());
  EXPECT_FALSE(object["directories"].empty());
}

TEST_F(Command, DoctorTellsWhyAPluginIsRefused) {
  fs::create_directory(directory_ / "plugins");
  write("plugins/broken.polycodec.json", "{\"manifest\": 1, \"id\": \"broken\"");
  const Finished doctor = run({"doctor", "--plugin-path", (directory_ / "plugins").string()});
  EXPECT_EQ(doctor.status, 3);
  EXPECT_NE(doctor.out.find("broken.polycodec.json"), std::string::npos) << doctor.out;
  EXPECT_NE(doctor.out.find("manifest"), std::string::npos);
}

TEST_F(Command, DoctorPrintsTheLineThatTrustsAnAdministrator) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path place = directory_ / "polycodec/plugins/abi2";
  fs::create_directories(place);
  for (const char* name : {"msgpack-ndarray.so", "msgpack-ndarray.polycodec.json"}) {
    fs::copy(fs::path(POLYCODEC_TEST_BINARY_DIR) / "lib/polycodec/plugins/abi2" / name, place);
    ASSERT_EQ(::chown((place / name).c_str(), 12345, 12345), 0);
  }
  ASSERT_EQ(::chown((directory_ / "polycodec").c_str(), 12345, 12345), 0);
  const std::string environment = "XDG_DATA_HOME=" + shell_word(directory_.string());
  const std::string line = R"("policy": {"trusted_owners": [7, 12345]})";
  write("before.json", R"({"policy": {"trusted_owners": [7]}})");
  const Finished doctor = run({"doctor", "--config", "before.json"}, "", environment);
  EXPECT_EQ(doctor.status, 3) << doctor.out;
  EXPECT_NE(doctor.out.find("\n  " + line + "\n"), std::string::npos) << doctor.out;
  const Finished json = run({"doctor", "--config", "before.json", "--json"}, "", environment);
  EXPECT_EQ(Json::parse(json.out)["configuration_line"], line);
  EXPECT_EQ(Json::parse(json.out)["environment"]["XDG_DATA_HOME"], directory_.string());
  write("after.json", "{" + line + "}");
  const Finished trusted = run({"doctor", "--config", "after.json", "--json"}, "", environment);
  const Json report = Json::parse(trusted.out);
  EXPECT_TRUE(report["configuration_line"].is_null()) << trusted.out;
  EXPECT_EQ(report["directories"][0]["state"], "used");
  // A library alone, of a manifest that is trusted.
  ASSERT_EQ(::chown((directory_ / "polycodec").c_str(), 0, 0), 0);
  ASSERT_EQ(::chown((place / "msgpack-ndarray.polycodec.json").c_str(), 0, 0), 0);
  const Finished library = run({"doctor", "--config", "before.json"}, "", environment);
  EXPECT_EQ(library.status, 3) << library.out;
  EXPECT_NE(library.out.find("\n  " + line + "\n"), std::string::npos) << library.out;
}

TEST_F(Command, RefusalsSayWhereItWasLookedAndWhatToDo) {
  const fs::path plugins = directory_ / "plugins";
  fs::create_directory(plugins);
  const fs::path built = fs::path(POLYCODEC_TEST_BINARY_DIR) / "lib/polycodec/plugins/abi2";
  fs::copy(built / "msgpack-ndarray.polycodec.json", plugins);
  write("plugins/msgpack-ndarray.so", "");
  write("unknown", "\x93\x01\x02\x03");
  const std::string environment = "POLYCODEC_PLUGIN_SYSTEM_PATH=" + plugins.string();
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"decode", "unknown", "--from", "msgpack"}, {"decode", "unknown"}}) {
    const Finished refused = run(command, "", environment);
    EXPECT_EQ(refused.status, 3) << refused.err;
    for (const char* part :
         {"rejected (elf)", "it is empty", "plugins/msgpack-ndarray.polycodec.json", "what to do"})
      EXPECT_NE(refused.err.find(part), std::string::npos) << part << ": " << refused.err;
  }
  // A directory that anybody may write to is refused with all that is in it.
  fs::permissions(plugins, fs::perms::all);
  const Finished doctor = run({"doctor"}, "", environment);
  EXPECT_EQ(doctor.status, 3) << doctor.out;
  const Finished none = run({"decode", "unknown"}, "", environment);
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("writable by all users"), std::string::npos) << none.err;
}

TEST_F(Command, Type) {
  EXPECT_EQ(run({"type", "3*var * {x:int32,y : ?float64}"}).out,
            "3 * var * {x: int32, y: ?float64}\n");
  EXPECT_EQ(run({"type", "-"}, "2 * int8\n").out, "2 * int8\n");
  const Finished bad = run({"type", "3 * in32"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.err.find("at byte 4"), std::string::npos) << bad.err;
  EXPECT_EQ(run({"type", "union[int32, string]"}).status, 0);
  EXPECT_EQ(run({"type", "--strict", "union[int32, string]"}).status, 1);
}

TEST_F(Command, SniffTellsScoresAndReasons) {
  const Json object = Json::parse(run({"sniff", vector("nd_f8_le_2x4"), "--json"}).out);
  EXPECT_EQ(object["chosen"], "msgpack-ndarray");
  EXPECT_GE(object["candidates"][0]["score"], 50);
  write("noise.bin", std::string("\xc1\xff\x00\x80", 4));
  const Finished noise = run({"sniff", "noise.bin"});
  EXPECT_EQ(noise.status, 3) << noise.err;  // no codec claims it
  EXPECT_FALSE(noise.err.empty());
  write("empty.bin", "");
  const Finished empty = run({"sniff", "empty.bin"});
  EXPECT_EQ(empty.status, 1) << empty.err;  // it could be this or that: nothing is chosen silently
  EXPECT_NE(empty.err.find("name one explicitly"), std::string::npos) << empty.err;
}

TEST_F(Command, InspectShowsTypeTreeColumnsAndBytes) {
  const Finished inspect = run({"inspect", vector("nd_f8_le_2x4")});
  EXPECT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_NE(inspect.out.find("2 * 4 * float64"), std::string::npos) << inspect.out;
  EXPECT_NE(inspect.out.find("minimum"), std::string::npos);
  const Json object = Json::parse(run({"inspect", vector("mix_list_of_nd"), "--json"}).out);
  EXPECT_EQ(object["codec"], "msgpack-ndarray");
  ASSERT_GE(object["columns"].size(), 2u);
  EXPECT_EQ(object["columns"][0]["minimum"], "0");
  EXPECT_EQ(object["columns"][0]["maximum"], "5");
  EXPECT_EQ(object["columns"][0]["mean"], 2.5);
  ASSERT_FALSE(object["buffers"].empty());
  EXPECT_TRUE(object["buffers"][0]["offset"].is_number());
}

TEST_F(Command, DecodePrintsTextNotation) {
  const Finished decode = run({"decode", vector("nd_i4_le_2x3")});
  EXPECT_EQ(decode.status, 0) << decode.err;
  const Json object = Json::parse(decode.out);
  EXPECT_EQ(object["type"], "2 * 3 * int32");
  EXPECT_EQ(object["value"].size(), 2u);
  const Json plain = Json::parse(run({"decode", vector("nd_i4_le_2x3"), "--plain"}).out);
  EXPECT_EQ(plain, object["value"]);
  EXPECT_EQ(Json::parse(run({"decode", vector("nd_i4_le_2x3"), "--pretty"}).out), object);
}

TEST_F(Command, DecodePrintsItemsAndWithExactHowTheyAreStored) {
  const std::string masked =
      R"({"type": "2 * ?int8", "value": {"$layout": {"layout": "option_bytes", "length": 2, )"
      R"("flags": ["mask_valid"], "mask": {"type": "2 * uint8", "value": [0, 1]}, )"
      R"("children": [{"type": "2 * int8", "value": [3, 4]}]}}})"
      "\n";
  const std::string items = "{\"type\": \"2 * ?int8\", \"value\": [null, 4]}\n";
  write("masked.json", masked);
  EXPECT_EQ(run({"decode", "masked.json"}).out, items);
  EXPECT_EQ(run({"decode", "masked.json", "--exact"}).out, masked);
  EXPECT_EQ(run({"decode", "-", "--from", "text", "--exact"}, items).out, items);
  EXPECT_EQ(run({"diff", "masked.json", "-"}, items).status, 0) << "equal values";
  EXPECT_EQ(run({"convert", "masked.json", "-", "--to", "text"}).out, masked) << "a file keeps all";
  ASSERT_EQ(run({"message", "pack", "masked.json", "--codec", "text", "-o", "a.msg"}).status, 0);
  EXPECT_EQ(run({"message", "unpack", "a.msg", "-q"}).out, items);
  EXPECT_EQ(run({"message", "unpack", "a.msg", "-q", "--exact"}).out, masked);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"decode", "masked.json"}, {"message", "unpack", "a.msg"}}) {
    auto both = words;
    both.insert(both.end(), {"--exact", "--plain"});
    const Finished refused = run(both);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("leave out --plain"), std::string::npos) << refused.err;
  }
}

TEST_F(Command, EncodeAndConvertRoundTrip) {
  write("in.json",
        R"({"type": "{t: 3 * float64, n: int64}", "value": {"t": [1.0, 2.5, -0.0], "n": 7}})");
  ASSERT_EQ(run({"encode", "in.json", "-o", "a.msgpack"}).status, 0);
  ASSERT_EQ(run({"convert", "a.msgpack", "b.typed.json"}).status, 0);
  const Json object = Json::parse(read_file(directory_ / "b.typed.json"));
  EXPECT_EQ(object["type"], "{t: 3 * float64, n: int64}");
  EXPECT_EQ(object["value"].dump(), R"({"t":[1.0,2.5,-0.0],"n":7})");
  const Finished piped =
      run({"convert", "-", "-", "--to", "msgpack"}, read_file(directory_ / "a.msgpack"));
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(piped.out, read_file(directory_ / "a.msgpack"));
}

TEST_F(Command, HashIsTheSameInEveryFormat) {
  write("a.json", R"({"type": "{t: 3 * float64, n: int64, m: 2 * ?string}",)"
                  R"( "value": {"t": [1.0, 2.5, -0.0], "n": 7, "m": ["x", null]}})");
  write("other.json", R"({"type": "{t: 3 * float64, n: int64, m: 2 * ?string}",)"
                      R"( "value": {"t": [1.0, 2.5, 0.0], "n": 7, "m": ["x", null]}})");
  std::vector<std::string> files{"a.json", "a.msgpack", "a.dynd", "a.cbor"};
  ASSERT_EQ(run({"encode", "a.json", "-o", "a.msgpack"}).status, 0);
  ASSERT_EQ(run({"encode", "a.json", "-o", "a.dynd"}).status, 0);
  ASSERT_EQ(run({"convert", "a.dynd", "a.cbor", "--to", "dynd-cbor"}).status, 0);
  std::string digest;
  for (const std::string& file : files) {
    const Finished hash = run({"hash", "--json", file});
    ASSERT_EQ(hash.status, 0) << hash.err;
    const Json object = Json::parse(hash.out);
    EXPECT_EQ(object["bytes"], read_file(directory_ / "a.dynd").size());
    const auto here = object["sha256"].get<std::string>();
    EXPECT_EQ(here.size(), 64u);
    if (digest.empty()) digest = here;
    EXPECT_EQ(here, digest) << file;
  }
  EXPECT_NE(run({"hash", "other.json"}).out.substr(0, 64), digest) << "0.0 is not -0.0";
}

TEST_F(Command, ValidateRefusesWithPlace) {
  EXPECT_EQ(run({"validate", vector("nd_f8_le_2x4")}).status, 0);
  const std::string bytes = read_file(vector("nd_f8_le_2x4"));
  write("short.msgpack", bytes.substr(0, 60));
  const Finished bad = run({"validate", "short.msgpack", "--json"});
  EXPECT_EQ(bad.status, 1);
  const Json object = Json::parse(bad.out);
  EXPECT_FALSE(object["ok"]);
  EXPECT_EQ(object["error"]["code"], "truncated");
  EXPECT_TRUE(object["error"].contains("offset"));
}

TEST_F(Command, FailedOutputLeavesTheOldFile) {
  write("out.msgpack", "old");
  write("bad.json", R"({"type": "int8", "value": 300})");
  EXPECT_EQ(run({"encode", "bad.json", "-o", "out.msgpack"}).status, 1);
  EXPECT_EQ(read_file(directory_ / "out.msgpack"), "old");
}

TEST_F(Command, WrongUsageIsStatusTwo) {
  EXPECT_EQ(run({}).status, 2);
  EXPECT_EQ(run({"frobnicate"}).status, 2);
  EXPECT_NE(run({"decod", "x"}).err.find("no command is called 'decod' (did you mean 'decode'?)"),
            std::string::npos);
  const Finished inner = run({"message", "unpak", "x"});
  EXPECT_EQ(inner.status, 2);
  EXPECT_NE(inner.err.find("'message unpak' (did you mean 'unpack'?)"), std::string::npos)
      << inner.err;
  EXPECT_EQ(run({"decode"}).status, 2);
  const Finished no_config = run({"list", "--config", "nowhere.json"});
  EXPECT_EQ(no_config.status, 2);
  EXPECT_NE(no_config.err.find("nowhere.json"), std::string::npos) << no_config.err;
  EXPECT_EQ(run({"decode", vector("mp_nil"), "--from-options", "{"}).status, 2);
  EXPECT_EQ(
      run({"decode", vector("mp_nil"), "--from", "msgpack", "--from-options", R"({"ext_cod": 1})"})
          .status,
      2);
  EXPECT_EQ(run({"decode", vector("mp_nil"), "--limits", R"({"max_dept": 1})"}).status, 2);
  EXPECT_EQ(run({"decode", vector("mp_nil"), "--limits", R"({"max_depth": "x"})"}).status, 2);
}

TEST_F(Command, MissingFileIsStatusOne) {
  const Finished missing = run({"decode", "nowhere.msgpack"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.err.find("nowhere.msgpack"), std::string::npos);
  EXPECT_TRUE(missing.out.empty());
}

TEST_F(Command, LimitsAreObeyed) {
  write("deep.msgpack", std::string(100, '\x91') + '\xc0');
  EXPECT_EQ(run({"validate", "deep.msgpack", "--from", "msgpack"}).status, 0);
  const Finished deep = run({"validate", "deep.msgpack", "--from", "msgpack", "--limits",
                             R"({"max_depth": 50})", "--json"});
  EXPECT_EQ(deep.status, 1);
  EXPECT_EQ(Json::parse(deep.out)["error"]["code"], "limit");
}

TEST_F(Command, ConfigurationErrorsNameKeyAndLine) {
  write("config.json", "{\n  \"limts\": {}\n}\n");
  const Finished bad = run({"list", "--config", "config.json"});
  EXPECT_EQ(bad.status, 2) << bad.err;
  EXPECT_NE(bad.err.find("limts"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("limits"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find(":2"), std::string::npos) << bad.err;
}

TEST_F(Command, PolicyRefusesACodec) {
  write("config.json", R"({"policy": {"deny_codecs": ["msgpack-ndarray"]}})");
  const Finished denied =
      run({"decode", vector("mp_nil"), "--from", "msgpack", "--config", "config.json"});
  EXPECT_EQ(denied.status, 3) << denied.err;
}

TEST_F(Command, PluginNewWritesADirectory) {
  const std::pair<const char*, const char*> made[] = {
      {"codec", "c"},    {"codec", "cpp"}, {"codec", "rust"},   {"codec", "python"},
      {"filter", "cpp"}, {"store", "cpp"}, {"function", "cpp"}, {"type", "cpp"}};
  for (const auto& [kind, language] : made) {
    const std::string id = std::string("org.example.") + kind + "." + language;
    const std::vector<std::string> words{"plugin", "new",        id,      "--kind",
                                         kind,     "--language", language};
    const Finished done = run(words);
    ASSERT_EQ(done.status, 0) << done.err;
    const std::string module = std::string("org_example_") + kind + "_" + language;
    const bool is_rust = language == std::string("rust"),
               is_python = language == std::string("python");
    for (const std::string& file : {is_python ? module + "_codec.py" : id + ".polycodec.json",
                                    std::string(is_rust     ? "Cargo.toml"
                                                : is_python ? "pyproject.toml"
                                                            : "CMakeLists.txt"),
                                    std::string("README.md")}) {
      ASSERT_TRUE(fs::exists(directory_ / id / file)) << file;
      const std::string text = read_file(directory_ / id / file);
      for (const char* word : {"@PLUGIN_ID@", "@CRATE@", "@RUST_CRATE@"})
        EXPECT_EQ(text.find(word), std::string::npos) << file;
    }
    EXPECT_NE(done.out.find(is_rust     ? "cargo build"
                            : is_python ? "pip install"
                                        : "cmake -S"),
              std::string::npos)
        << done.out;
    EXPECT_EQ(run(words).status, 1);  // not over what exists
  }
  EXPECT_EQ(run({"plugin", "new", "Not A Name"}).status, 2);
  EXPECT_EQ(run({"plugin", "new", "org.example.x", "--kind", "rule"}).status, 2);
  for (const char* language : {"c", "rust", "python"})
    EXPECT_EQ(
        run({"plugin", "new", "org.example.x", "--kind", "type", "--language", language}).status,
        2);
  EXPECT_EQ(run({"plugin", "new", "org.example.x", "--language", "ada"}).status, 2);
}

TEST_F(Command, PluginNewWritesAModule) {
  ASSERT_EQ(run({"plugin", "new", "nets", "--wasm"}).status, 0);
  EXPECT_TRUE(fs::exists(directory_ / "nets/codec.c"));
  EXPECT_NE(read_file(directory_ / "nets/nets.polycodec.json").find(R"("library": "nets.wasm")"),
            std::string::npos);
  EXPECT_NE(read_file(directory_ / "nets/CMakeLists.txt").find("--target=wasm32"),
            std::string::npos);
  const Finished rust = run({"plugin", "new", "a.net", "--wasm", "--language", "rust"});
  ASSERT_EQ(rust.status, 0) << rust.err;
  EXPECT_NE(rust.out.find("wasm32-unknown-unknown/release/a_net_plugin.wasm"), std::string::npos);
  EXPECT_TRUE(fs::exists(directory_ / "a.net/src/lib.rs"));
  EXPECT_NE(read_file(directory_ / "a.net/a.net.polycodec.json")
                .find(R"("library": "a_net_plugin.wasm")"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(directory_ / "a.net/build.rs"));
  EXPECT_EQ(run({"plugin", "new", "x", "--wasm", "--language", "cpp"}).status, 2);
  EXPECT_EQ(run({"plugin", "new", "x", "--wasm", "--kind", "filter"}).status, 2);
}

TEST_F(Command, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}).status, 0);
  const Finished version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_NE(version.out.find("(plugin ABI " + std::to_string(POLYCODEC_ABI_MAJOR) + ")"),
            std::string::npos)
      << version.out;
  for (const char* command : {"list", "info", "doctor", "type", "sniff", "inspect", "decode",
                              "encode", "convert", "validate", "plugin"})
    EXPECT_EQ(run({command, "--help"}).status, 0) << command;
}

TEST_F(Command, ManPageAndCompletionCoverEveryCommand) {
  const Finished man = run({"documentation", "man"});
  const Finished bash = run({"documentation", "bash"});
  EXPECT_EQ(man.status, 0);
  EXPECT_EQ(bash.status, 0);
  for (const char* word : {"inspect", "convert", "validate", "doctor"}) {
    EXPECT_NE(man.out.find(word), std::string::npos) << word;
    EXPECT_NE(bash.out.find(word), std::string::npos) << word;
  }
}

}  // namespace
