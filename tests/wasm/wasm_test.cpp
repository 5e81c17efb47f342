// SPDX-License-Identifier: MIT
// Plugins that are WebAssembly, as programs get them. The module, module.c, does what the first
// byte of its input asks for.
#include <polycodec/polycodec.hpp>

#include "files.hpp"
#include "run.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

Registry open_in(const std::string& directory, const std::string& policy, const Log* log = nullptr,
                 std::uint32_t flags = 0) {
  RegistryOptions options;
  options.flags = flags;
  options.plugin_paths = {directory};
  options.layers = {{R"({"policy": )" + policy + "}", "test"}};
  options.log = log;
  return Registry::open(options);
}

std::string with_runtime(const std::string& more = {}) {
  return R"({"wasm_runtime": ")" POLYCODEC_WASMTIME "\"" + more + "}";
}

const Registry& modules() {
  static const Registry opened = open_in(WASM_PLUGINS, with_runtime());
  return opened;
}

Codec codec() {
  return modules().codec("test.wasm");
}

Value decode(const std::string& deed, const CallOptions& options = {}) {
  return codec().decode(Source::view(deed), options);
}

std::int64_t number(const Value& value) {
  return value.view().as_int64();
}

std::string written(const Value& value, const Codec& by) {
  Sink sink;
  by.encode(value, sink);
  std::string all;
  for (const polycodec_bytes& segment : sink.segments()) all += to_string_view(segment);
  return all;
}

/// What a call reports, as CODE: MESSAGE.
template <class Call>
std::string failure_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return std::to_string(static_cast<int>(e.code())) + ": " + e.message();
  }
  return "no error";
}

constexpr const char* all_kinds =
    "Lstexti-1fOski5.Xtest.extspayloadNspayloadOski5.U3i5@1000bK+A4:3 x0:3=3 y0:3=3 name1:3 "
    "0:3=294Osunitsm.Li5.0.";

constexpr const char* large_record =
    "A4:100000 x0:100000=4999950000 y0:100000=4999950000 name1:100000 0:100000=10949956Osunitsm.";

TEST(Wasm, ValuesOfAllKindsGoOutAndIn) {
  const std::string input = "K+";
  const Value value = decode(input);
  EXPECT_EQ(written(value, codec()), all_kinds);
  EXPECT_EQ(value.view()[0].as_string(), "text");
}

TEST(Wasm, LargeValuesStayInTheirInstance) {
  const std::string input = "A";
  const Value value = decode(input);
  EXPECT_EQ(written(value, codec()), large_record);
  const Value nodes = decode("M");
  EXPECT_EQ(nodes.view().size(), 20000u);
  EXPECT_EQ(nodes.view()[19999].as_string(), "item");
}

TEST(Wasm, BytesOfTheInputAreViews) {
  const std::string input = "B" + std::string(100000, 'x');
  const Value value = decode(input);
  EXPECT_EQ(static_cast<const void*>(value.view().as_bytes().data()), input.data());
}

TEST(Wasm, LargeBuffersAreReferencedNotCopied) {
  const std::string input = "B" + std::string(100000, 'x');
  const Value value = decode(input);
  Sink sink;
  codec().encode(value, sink);
  ASSERT_EQ(sink.segments().size(), 2u);
  EXPECT_EQ(sink.segments()[1].data, static_cast<const void*>(input.data()));
}

TEST(Wasm, ContiguousOutputHasWhatIsReferenced) {
  const std::string input = "B" + std::string(100000, 'x');
  EXPECT_EQ(codec().encode(decode(input)), "b" + input);
}

TEST(Wasm, AModuleGetsNoAddressesOfTheHost) {
  const auto text = [](const char* json, const char* type) {
    return written(Value::parse(json, type), codec());
  };
  EXPECT_EQ(text("[]", "0 * ?int32").find('!'), std::string::npos);
  EXPECT_EQ(text("[]", "0 * {x: ?int32, y: var * string}").find('!'), std::string::npos);
  EXPECT_EQ(text("[[1, null], []]", "2 * var * ?int32").find('!'), std::string::npos);
}

TEST(Wasm, RecordsWithoutFieldsStayRecords) {
  EXPECT_EQ(written(Value::parse("[{}, {}]", "2 * {}"), codec()), "A{}4:2");
}

TEST(Wasm, ReferencesLeadToTheirNodes) {
  const Value value = decode("R");
  EXPECT_EQ(written(value, codec()), "LR8.");
}

TEST(Wasm, AnInstanceServesCallsUntilAValueKeepsIt) {
  const Registry own = open_in(WASM_PLUGINS, with_runtime());
  const auto count = [&] { return number(own.codec("test.wasm").decode(Source::view("N"))); };
  const auto first = count();
  EXPECT_EQ(count(), first + 1);
}

TEST(Wasm, NoCallRewritesTheValueOfAnother) {
  const std::string small = "F+", large = "G";
  const Value first = decode(small);
  const std::string before = first.text();
  EXPECT_EQ(number(decode("W")), 1) << "the same instance: its value was copied";
  EXPECT_EQ(first.text(), before);
  const Value second = decode(large);
  const std::string of_second = written(second, codec());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(number(decode("W")) & ~1, 0);
  EXPECT_EQ(written(second, codec()), of_second);
}

TEST(Wasm, NoInstanceSeesMemoryOfAnother) {
  for (int i = 0; i < 3; ++i) {
    const std::string input = "Z" + std::string(static_cast<std::size_t>(i) << 21, 'x');
    const Value value = decode(input);
    EXPECT_EQ(value.view().as_bytes().size(), std::size_t{3} << 20);
  }
}

/// A file that others may not change, so that modules map it.
std::string own_file(const TemporaryDirectory& directory, std::string_view content) {
  const fs::path path = directory.path() / "input";
  write_file(path, content);
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  return path;
}

/// Bytes of memory of this process that no file has.
std::uint64_t own_memory() {
  const std::string status = read_file("/proc/self/status");
  return std::stoull(status.substr(status.find("RssAnon:") + 8)) << 10;
}

TEST(Wasm, ALargeFileIsNotCopied) {
  if (::sysconf(_SC_PAGESIZE) != 4096) GTEST_SKIP() << "files are copied";
  constexpr std::uint64_t size = std::uint64_t{64} << 20;
  const TemporaryDirectory directory;
  const std::string path = own_file(directory, "B");
  fs::resize_file(path, size);
  const Source source = Source::file(path);
  decode("K+");
  const std::uint64_t before = own_memory();
  const Value value = codec().decode(source);
  EXPECT_LT(own_memory(), before + size / 4);
  EXPECT_EQ(value.view().as_bytes().data(), source.bytes().data());
}

TEST(Wasm, AModuleThatWritesToItsInputChangesNoFile) {
  const TemporaryDirectory directory;
  const std::string content = "Y" + std::string((3 << 20) + 1234, 'x');
  const std::string path = own_file(directory, content);
  const Source source = Source::file(path);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 2; ++round) {
        const Value value = codec().decode(source);
        if (value.view().as_bytes() != content || source.bytes() != content) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(read_file(path), content);
}

TEST(Wasm, AnInstanceFindsZerosWhereAFileWas) {
  if (::sysconf(_SC_PAGESIZE) != 4096) GTEST_SKIP() << "files are copied";
  const TemporaryDirectory directory;
  const std::string path = own_file(directory, "Y" + std::string(std::size_t{3} << 20, 'x'));
  codec().decode(Source::file(path));
  EXPECT_EQ(number(decode("O")), 0);
}

TEST(Wasm, NoInstanceSeesAFileOfAnother) {
  const TemporaryDirectory directory;
  const std::string input = "Z" + std::string(std::size_t{1} << 20, 'x');
  for (const char* deed : {"t", "Y", "E"}) {  // the first ends its instance
    const std::string path = own_file(directory, deed + std::string(std::size_t{8} << 20, 'x'));
    failure_of([&] { codec().decode(Source::file(path)); });
    for (int i = 0; i < 3; ++i) {
      const Value value = decode(input);
      EXPECT_EQ(value.view().as_bytes().size(), std::size_t{3} << 20);
    }
  }
}

/// The detail of the error for a file that is cut short while a module reads it.
std::string detail_of_a_cut(bool grows_again) {
  const TemporaryDirectory directory;
  const std::string content = "T" + std::string(std::size_t{3} << 20, 'x');
  const std::string path = own_file(directory, content);
  const Log log = [&](std::int32_t, std::string_view, std::string_view text) {
    if (text == "before") fs::resize_file(path, 10);
    if (text == "after" && grows_again) fs::resize_file(path, content.size());
  };
  const Registry guarded = open_in(WASM_PLUGINS, with_runtime(), &log, POLYCODEC_REGISTRY_GUARD);
  const Codec by = guarded.codec("test.wasm");
  std::string detail;
  try {
    by.decode(Source::file(path));
  } catch (const Error& e) {
    detail = e.detail();
  }
  // It is over with the source.
  return written(by.decode(Source::view("K+")), by) == all_kinds ? detail : "no more calls";
}

// In a process of its own: the library sets the handler of SIGBUS.
TEST(WasmDeathTest, AFileThatIsCutShortWhileAModuleReadsItIsAnError) {
  if (::sysconf(_SC_PAGESIZE) != 4096) GTEST_SKIP() << "files are copied";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const bool grows_again : {false, true})
    EXPECT_EXIT(std::_Exit(detail_of_a_cut(grows_again) == "io.cut_short" ? 0 : 1),
                testing::ExitedWithCode(0), "");
}

TEST(Wasm, ErrorsAreThoseOfTheModule) {
  try {
    decode("E");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::malformed);
    EXPECT_EQ(e.offset(), 7u);
    EXPECT_EQ(e.message(), "the input asks for an error");
    EXPECT_EQ(e.codec(), "test.wasm");
  }
  EXPECT_EQ(failure_of([] { decode("f"); }), "7: the call was ended");
}

TEST(Wasm, FiltersWork) {
  const Codec flipped = modules().codec("test.wasm", "", R"([{"id": "test.flip"}])");
  const std::string input = "K+";
  std::string bytes = written(decode(input), flipped);
  for (char& byte : bytes) byte = static_cast<char>(~byte);
  EXPECT_EQ(bytes, all_kinds);
  std::string deed = "K+";
  for (char& byte : deed) byte = static_cast<char>(~byte);
  EXPECT_EQ(written(flipped.decode(Source::view(deed)), codec()), all_kinds);
}

TEST(Wasm, ContentChoosesTheCodec) {
  const std::string input = "K+";
  EXPECT_EQ(written(modules().decode(Source::view(input)), codec()), all_kinds);
}

struct Deed {
  const char* bytes;
  const char* outcome;  // how what it reports begins
};

TEST(Wasm, WhatAModuleMustNotDoIsAnError) {
  CallOptions options;
  options.limits.max_work = 20'000'000;
  options.limits.max_memory_bytes = 64 << 20;
  const std::vector<Deed> deeds = {
      {"0", "12: it gave an address outside of its linear memory"},
      {"s", "12: it gave an address outside of its linear memory"},
      {"u", "12: it gave an address outside of its linear memory"},
      {"x", "12: it gave an address outside of its linear memory"},
      {"b", "12: it gave an address outside of its linear memory"},
      {"n", "5: the value has more nodes than max_nodes allows"},
      {"y", "5: the value has more nodes than max_nodes allows"},
      {"o", "13: a column of an array overflows"},
      {"h", "5: the value is nested deeper than max_depth"},
      {"z", "5: nested deeper than max_depth"},
      {"d", "5: the call would do more than"},
      {"v", "13: unknown kind"},
      {"V", "12: parts of its value overlap"},
      {"H", "12: parts of its value overlap"},
      {"e", "12: xxx"},
      {"c", "12: its function decode failed: it moved the cursor of its arena"},
      {"C", "12: it returned more credit than it was granted"},
      {"w", "12: it returned more credit than it was granted"},
      {"t", "12: its function decode failed: wasm trap: "},
      {"j", "12: its function decode failed: wasm trap: "},
      {"p", "12: its function decode failed: wasm trap: "},
      {"r", "12: its function decode failed: wasm trap: "},
      {"i", "12: its function decode failed: its function the body of parallel_for failed: "},
      {"a", "12: its function decode failed: it asked for memory at an alignment of 3"},
      {"g", "5: there is no more: raise max_memory_bytes"},
      {"m", "5: "},
      {"l", "5: the call would do more than"},
      {"q", "5: the call would do more than"},
      {"Q", "5: the call would do more than"},
      {"k", "5: the call would do more than"},
      {"S", "5: "},
      {"U", "5: "},
  };
  const std::string good = "K+";
  for (const Deed& deed : deeds) {
    const std::string bytes = deed.bytes;
    const std::string found = failure_of([&] { decode(bytes, options); });
    EXPECT_TRUE(found.starts_with(deed.outcome)) << deed.bytes << " " << found.substr(0, 300);
    EXPECT_EQ(written(decode(good), codec()), all_kinds) << "after " << deed.bytes;
  }
}

TEST(Wasm, ALoopEndsWhenTheCallIsCancelled) {
  std::uint8_t cancel = 0;
  CallOptions options;
  options.cancel = &cancel;
  options.limits.max_work = UINT64_MAX;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::atomic_ref(cancel).store(1);
  });
  const std::string found = failure_of([&] { decode("l", options); });
  other.join();
  EXPECT_TRUE(found.starts_with("16: ")) << found;
}

TEST(Wasm, ThreadsHaveInstancesOfTheirOwn) {
  const std::string small = "K+", large = "A";
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        if (written(decode(small), codec()) != all_kinds) ++wrong;
        if ((round + i) % 10 == 0 && written(decode(large), codec()) != large_record) ++wrong;
        if (failure_of([] { decode("t"); }).find("wasm trap") == std::string::npos) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// A directory with the manifest, and a module of other bytes.
struct Directory {
  TemporaryDirectory directory;
  explicit Directory(std::string_view module) {
    fs::copy_file(fs::path(WASM_PLUGINS) / "test.wasm.polycodec.json",
                  directory.path() / "test.wasm.polycodec.json");
    write(module);
  }
  void write(std::string_view module) const { write_file(directory.path() / "test.wasm", module); }
  std::string decode(const std::string& deed, const std::string& policy = with_runtime()) const {
    return failure_of([&] {
      CallOptions options;
      options.limits.max_work = 2'000'000;
      static_cast<void>(open_in(directory.path(), policy)
                            .codec("test.wasm")
                            .decode(Source::view(deed), options)
                            .text());
    });
  }
};

TEST(Wasm, DamagedModulesAreErrors) {
  const std::string sound = read_file(fs::path(WASM_PLUGINS) / "test.wasm");
  const Directory place(sound);
  ASSERT_EQ(place.decode("K"), "no error");
  std::mt19937 random(46);  // NOLINT: the same modules each time
  int loaded = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string module = sound;
    for (auto n = 1 + random() % 3; n > 0; --n)
      module[random() % module.size()] = static_cast<char>(random());
    if (i % 10 == 0) module.resize(random() % module.size());
    place.write(module);
    if (!place.decode("K").starts_with("12: plugin")) ++loaded;
  }
  EXPECT_GT(loaded, 0);
}

TEST(Wasm, WhatIsNotAModuleIsRefused) {
  const Directory place("not a module");
  EXPECT_NE(place.decode("K").find("it is not a WebAssembly module"), std::string::npos);
  // (module (import "wasi" "x" (func)))
  using namespace std::string_literals;
  place.write("\0asm\1\0\0\0\1\4\1\x60\0\0\2\n\1\4wasi\1x\0\0"s);
  EXPECT_NE(place.decode("K").find("it imports 'wasi.x', and polycodec.fail alone is offered"),
            std::string::npos)
      << place.decode("K");
  place.write("\0asm\1\0\0\0"s);
  EXPECT_NE(place.decode("K").find("it does not export memory"), std::string::npos);
}

TEST(Wasm, AModuleThatIsKeptWorks) {  // tests/abi/kept/build.sh
  const TemporaryDirectory place;
  const fs::path kept = POLYCODEC_SOURCE_DIR "/tests/abi/kept";
  std::string manifest = read_file(kept / "test.kept.polycodec.json");
  manifest.replace(manifest.find("kept.so"), 7, "kept.wasm");
  write_file(place.path() / "test.kept.polycodec.json", manifest);
  write_file(place.path() / "test.kept.wasm", read_file(kept / "test.kept.wasm"));
  const Registry registry = open_in(place.path(), with_runtime());
  const Codec codec = registry.codec("test.kept");
  const Value value = codec.decode(Source::view("5:hello,0:,"));
  EXPECT_EQ(value.view()[0].as_bytes(), "hello");
  EXPECT_EQ(written(value, codec), "5:hello,0:,");
  EXPECT_NE(failure_of([&] {
              return codec.decode(Source::view("5:hello;"));
            }).find("expected ',' after the string"),
            std::string::npos);
}

TEST(Wasm, AMissingRuntimeIsNamed) {
  // In this process the runtime is loaded already: the program is another one.
  const TemporaryDirectory place;
  write_file(place.path() / "config.json",
             R"({"policy": {"wasm_runtime": "/nowhere/libwasmtime.so"}})");
  write_file(place.path() / "in.deed", "K");
  const std::string out =
      run_line(place.path(), "POLYCODEC_CONFIG=$PWD/config.json " POLYCODEC_BIN_DIR
                             "/polycodec --plugin-path " WASM_PLUGINS " inspect in.deed")
          .err;
  EXPECT_NE(out.find("/nowhere/libwasmtime.so"), std::string::npos) << out;
  EXPECT_NE(out.find("name the file in policy.wasm_runtime"), std::string::npos) << out;
}

/// The program with a directory for compiled modules, each run a process of its own.
struct Kept {
  TemporaryDirectory place;
  std::string runtime = POLYCODEC_WASMTIME;

  /// What a run reports, beside the value that it must print.
  std::string run() const {
    const fs::path cache = place.path() / "code";
    write_file(place.path() / "config.json", R"({"policy": {"wasm_runtime": ")" + runtime +
                                                 R"(", "wasm_cache": ")" + cache.string() + "\"}}");
    write_file(place.path() / "in.deed", "N");
    const Finished done =
        run_line(place.path(), "POLYCODEC_CONFIG=$PWD/config.json " POLYCODEC_BIN_DIR
                               "/polycodec --plugin-path " WASM_PLUGINS
                               " decode --plain --from test.wasm in.deed");
    EXPECT_EQ(done.out, "1\n") << done.err;
    return done.err;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(place.path() / "code"))
      all.push_back(entry.path());
    return all;
  }
};

TEST(Wasm, CompiledModulesAreKept) {
  const Kept kept;
  EXPECT_EQ(kept.run(), "");
  ASSERT_EQ(kept.files().size(), 1u);
  const fs::path file = kept.files()[0];
  const auto inode = [&] {
    struct stat status {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return status.st_ino;
  };
  const auto made = inode();
  EXPECT_EQ(kept.run(), "");
  EXPECT_EQ(kept.files(), std::vector{file});
  EXPECT_EQ(inode(), made);
}

TEST(Wasm, CodeThatWasNotUsedForLongestGoes) {
  const Kept kept;
  const fs::path code = kept.place.path() / "code";
  fs::create_directory(code);
  fs::permissions(code, fs::perms::owner_all);
  const auto add = [&](const char* name, std::uint64_t mebibytes, int days) {
    write_file(code / name, "");
    fs::resize_file(code / name, mebibytes << 20);
    fs::last_write_time(code / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  };
  add("new.cwasm", 600, 1), add("old.cwasm", 600, 2), add("oldest.cwasm", 1, 3);
  add("other", 600, 4);
  EXPECT_EQ(kept.run(), "");
  EXPECT_TRUE(fs::exists(code / "new.cwasm"));
  EXPECT_FALSE(fs::exists(code / "old.cwasm"));
  EXPECT_FALSE(fs::exists(code / "oldest.cwasm"));
  EXPECT_TRUE(fs::exists(code / "other"));
  EXPECT_EQ(kept.files().size(), 3u);
  // The file that is used becomes the newest.
  const auto ours = [&] {
    for (const fs::path& file : kept.files())
      if (file.filename().string().size() > 60) return file;
    return fs::path();
  };
  const auto before = fs::file_time_type::clock::now() - std::chrono::hours(24);
  fs::last_write_time(ours(), before);
  EXPECT_EQ(kept.run(), "");
  EXPECT_GT(fs::last_write_time(ours()), before);
}

TEST(Wasm, DamagedCodeIsCompiledAgain) {
  const Kept kept;
  EXPECT_EQ(kept.run(), "");
  const fs::path file = kept.files()[0];
  const std::string sound = read_file(file);
  write_file(file, sound.substr(0, sound.size() / 2));
  EXPECT_NE(kept.run().find("it is damaged; the module is compiled"), std::string::npos);
  EXPECT_EQ(read_file(file).size(), sound.size());
  EXPECT_EQ(kept.run(), "");
  // The digest is right, and the runtime refuses what it has.
  run_line(
      kept.place.path() / "code",
      "printf other > c; { printf %s *.cwasm; cat c; } | sha256sum | head -c 64 > d; cat d c > "
      "$(echo *.cwasm); rm c d");
  const std::string found = kept.run();
  EXPECT_NE(found.find("; the module is compiled"), std::string::npos) << found;
  EXPECT_EQ(found.find("it is damaged"), std::string::npos) << found;
  EXPECT_EQ(kept.run(), "");
}

TEST(Wasm, AnotherRuntimeHasCodeOfItsOwn) {
  Kept kept;
  EXPECT_EQ(kept.run(), "");
  const fs::path copy = kept.place.path() / "libwasmtime.so";
  fs::copy_file(kept.runtime, copy);
  kept.runtime = copy;
  EXPECT_EQ(kept.run(), "");
  EXPECT_EQ(kept.files().size(), 2u);
}

TEST(Wasm, AProcessOfItsOwnIsRefused) {
  const Directory place(read_file(fs::path(WASM_PLUGINS) / "test.wasm"));
  const std::string found = place.decode("K", with_runtime(R"(, "isolation": "process")"));
  EXPECT_NE(found.find("is a WebAssembly module, whose sandbox is in this process"),
            std::string::npos)
      << found;
}

TEST(Wasm, TheDigestOfAModuleIsPinned) {
  const Directory place(read_file(fs::path(WASM_PLUGINS) / "test.wasm"));
  const std::string found = place.decode("K", with_runtime(R"(, "pins": {"test.wasm": []})"));
  EXPECT_NE(found.find("(pin)"), std::string::npos) << found;
}

}  // namespace
}  // namespace polycodec::test
