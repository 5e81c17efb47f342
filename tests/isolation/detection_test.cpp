// SPDX-License-Identifier: MIT
// Plugins of others that never load, or never answer, keep no file of another format waiting. Those
// that loop have no limit of time here: a test ends only because nobody waits for them.
#include "installed_tree.hpp"

namespace polycodec::test {
namespace {

constexpr const char* no_limits =
    R"({"policy": {"isolation": {"load_seconds": 0, "wall_seconds": 0}}})";

constexpr const char* two_seconds = R"({"policy": {"isolation": {"load_seconds": 2}}})";

class Detection : public InstalledTree {
 protected:
  Detection() {
    add(own_plugins(), "msgpack-ndarray", "msgpack-ndarray.so", package_);
    fs::copy_file(vector("mp_array_16_16"), directory_ / "x.msgpack");
    fs::copy_file(vector("mp_array_16_16"), directory_ / "x");
    write("limits.json", no_limits);
  }

  /// A plugin that does something bad while it is loaded, with further members in the entry of its
  /// codec.
  void add_loading(const std::string& deed, const std::string& members) {
    const std::string id = "test." + deed;
    copy(POLYCODEC_TEST_BINARY_DIR "/evil_loading/" + id + ".so", site_ / (id + ".so"));
    std::string manifest =
        read_file(POLYCODEC_TEST_BINARY_DIR "/evil_loading/" + id + ".polycodec.json");
    const std::string before = R"("extensions": [], "magic": [])";
    manifest.replace(manifest.find(before), before.size(), members);
    write_file(site_ / (id + ".polycodec.json"), manifest);
  }
  static std::string entry(bool sniffs, const std::string& extensions = {}) {
    return R"("extensions": [)" + extensions + R"(], "magic": [])" +
           (sniffs ? R"(, "sniff": true)" : "");
  }

  Finished decode(const std::string& file, const std::string& words = "--config limits.json") {
    return run_there("decode " + file + " " + words);
  }
};

TEST_F(Detection, NothingIsLoadedForCodecsThatDoNotLookAtBytes) {
  add_loading("hang", entry(false, R"(".evil")"));
  for (const char* file : {"x", "x.msgpack"}) EXPECT_EQ(decode(file).status, 0) << file;
  write("unknown", "Xyz");
  EXPECT_EQ(decode("unknown").status, 1);
  EXPECT_EQ(run_there("detect unknown --config limits.json").err.find("waiting"),
            std::string::npos);
  // Its own files are another matter.
  write("x.evil", "Xyz");
  write("two.json", two_seconds);
  const Finished own = decode("x.evil", "--config two.json");
  EXPECT_EQ(own.status, 3);
  EXPECT_NE(own.err.find("waiting for plugin 'test.hang' to load: it has 2 seconds"),
            std::string::npos)
      << own.err;
  EXPECT_NE(own.err.find("it took longer to load than load_seconds of policy.isolation (2)"),
            std::string::npos)
      << own.err;
}

TEST_F(Detection, FormatsThatAreKnownWaitForNobody) {
  add_loading("hang", entry(true, R"(".evil", ".msgpack")"));
  EXPECT_EQ(decode("x").status, 0);
  // It is the other owner of this extension, and is left out.
  const Finished both = decode("x.msgpack");
  EXPECT_EQ(both.status, 0);
  EXPECT_NE(both.err.find("plugin 'test.hang' was left out, because it did not look at"),
            std::string::npos)
      << both.err;
}

TEST_F(Detection, OthersAreAskedSideBySide) {
  add_sample(site_);
  for (const char* deed : {"hang", "cling", "crash", "leave"}) add_loading(deed, entry(true));
  add(POLYCODEC_TEST_BINARY_DIR "/evil_plugins", "test.evil", "evil.so", site_);
  write("raw", "R and more");
  const Finished raw = decode("raw");
  EXPECT_EQ(raw.status, 0) << raw.err;
  EXPECT_NE(raw.err.find("plugin 'test.hang' was left out"), std::string::npos) << raw.err;
  EXPECT_NE(raw.err.find("plugin 'test.cling' was left out"), std::string::npos) << raw.err;
  EXPECT_EQ(raw.err.find("plugin 'test.evil' was left out"), std::string::npos) << raw.err;
  // An extension of a codec that looks at no bytes comes before all of them.
  add_loading("log_and_talk", entry(false, R"(".own")"));
  write("x.own", "Xyz");
  EXPECT_EQ(decode("x.own").status, 0) << decode("x.own").err;
  EXPECT_EQ(decode("x.own").err.find("left out"), std::string::npos);
}

TEST_F(Detection, ASnifferThatHangsIsNamedIfNobodyTakesTheBytes) {
  add(POLYCODEC_TEST_BINARY_DIR "/evil_plugins", "test.evil", "evil.so", site_);
  write("unknown", "sniff-hang");
  const Finished unknown = decode("unknown");
  EXPECT_EQ(unknown.status, 3) << unknown.err;
  EXPECT_NE(unknown.err.find("plugin 'test.evil' is waited for: it looks at"), std::string::npos)
      << unknown.err;
  EXPECT_NE(unknown.err.find("did not say in time whether"), std::string::npos) << unknown.err;
}

TEST_F(Detection, DoctorSaysForWhomItWaits) {
  add_loading("hang", entry(true));
  write("two.json", two_seconds);
  const Finished doctor = run_there("doctor --config two.json");
  EXPECT_EQ(doctor.status, 3);
  EXPECT_NE(doctor.err.find("waiting for plugin 'test.hang' to load: it has 2 seconds"),
            std::string::npos)
      << doctor.err;
  EXPECT_NE(doctor.out.find("it took longer to load than load_seconds"), std::string::npos)
      << doctor.out;
}

}  // namespace
}  // namespace polycodec::test
