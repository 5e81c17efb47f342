// SPDX-License-Identifier: MIT
// Files that others may write while a value views them.

#include "core/store/open.hpp"
#include "host_calls.h"
#include "registry/c/handle.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "temporary_directory.hpp"
#include "test_codec.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

using test::give;
using test::TestCodec;

/// A file of offsets and elements, large enough to be mapped.
class ChangingFiles : public test::InTemporaryDirectory {
 protected:
  static constexpr std::uint64_t items = 10000;

  static std::string content() {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(items); ++i) numbers.push_back(i);
    numbers.resize(2 * items + 1, 5);
    return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8);
  }
  void SetUp() override {
    // A list of `items` lists of one number each.
    codec.decode = [](polycodec_call* call, const polycodec_input* input,
                      const polycodec_node** root, polycodec_error* error) {
      polycodec_bytes bytes = input->bytes;
      if (bytes.size == 0) {
        std::uint64_t i = 0;
        const polycodec_store* const store = input->store;
        if (const auto code = store->find(store, call, to_bytes("numbers"), &i, error)) return code;
        if (const auto code = store->read(store, call, i, 0, UINT64_MAX, &bytes, error))
          return code;
      }
      Builder out(call->arena);
      const auto* const numbers = static_cast<const std::int64_t*>(bytes.data);
      const auto* const content =
          out.vector(std::span<const std::int64_t>(numbers + items + 1, items));
      const Node list = Builder::array(
          out.list_offsets(std::span<const std::int64_t>(numbers, items + 1), content));
      return give(call, list, root, error);
    };
  }
  std::filesystem::path file(const char* name, mode_t mode,
                             const std::string& bytes = content()) const {
    const auto path = write(name, bytes);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }
  /// Overwrites all of the file, through a mapping as another process would.
  static void overwrite(const std::filesystem::path& path, char byte) {
    const int fd = ::open(path.c_str(), O_RDWR);
    ASSERT_GE(fd, 0);
    const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
    void* const shared = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ASSERT_NE(shared, MAP_FAILED);
    std::memset(shared, byte, size);
    ::munmap(shared, size);
    ::close(fd);
  }
  static bool structure_lies_in(const Value& value, std::string_view bytes) {
    const auto* const at = static_cast<const char*>(value.root()->as.array->offsets.data);
    return at >= bytes.data() && at < bytes.data() + bytes.size();
  }
  /// After the file has changed: its lists are what they were, its numbers may be others.
  static void expect_sound(const Value& value) {
    EXPECT_NO_THROW(validate(value.view(), {}, Validation::full));
    const View lists(value.view());
    for (std::uint64_t i = 0; i < items; ++i) ASSERT_EQ(lists[i].size(), 1u) << i;
    EXPECT_EQ(lists[0][0].as_int64(), 0x7e7e7e7e7e7e7e7e);
  }
  Codec open() const { return codec.registry().codec("test.call"); }

  TestCodec codec;
};

TEST_F(ChangingFiles, StructureIsCopiedAndDoesNotFollow) {
  const auto path = file("shared", 0664);
  const Source source = Source::file(path);
  ASSERT_TRUE(source.is_mapped());
  EXPECT_FALSE(source.is_stable());
  const Value value = open().decode(source);
  EXPECT_FALSE(structure_lies_in(value, source.bytes()));
  overwrite(path, '\x7e');
  expect_sound(value);
}

TEST_F(ChangingFiles, PartsOfAFileChangeAsTheFile) {
  const auto path = file("shared", 0666);
  const Source whole = Source::file(path);
  const Source part = whole.part(0, whole.bytes().size());
  EXPECT_FALSE(part.is_stable());
  EXPECT_FALSE(Source::with_store(part, std::make_shared<MemoryStore>(
                                            std::vector<std::pair<std::string, std::string>>{}))
                   .is_stable());
  const Value value = open().decode(part);
  EXPECT_FALSE(structure_lies_in(value, whole.bytes()));
}

TEST_F(ChangingFiles, NothingIsCopiedOfWhatIsStable) {
  const auto own = file("own", 0644);
  const auto shared = file("shared", 0664);
  const Source sources[] = {Source::file(own), Source::file(shared, {}, FileAccess::read),
                            Source::file(shared, {}, FileAccess::map_stable),
                            Source::owned(content())};
  for (const Source& source : sources) {
    EXPECT_TRUE(source.is_stable());
    const Value value = open().decode(source);
    EXPECT_TRUE(structure_lies_in(value, source.bytes()));
  }
  EXPECT_TRUE(sources[2].is_mapped());
}

TEST_F(ChangingFiles, SealedMemoryIsStable) {
  const int fd = ::memfd_create("sealed", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  ASSERT_GE(fd, 0);
  const std::string bytes = content();
  ASSERT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ASSERT_EQ(::fchmod(fd, 0666), 0);
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  EXPECT_FALSE(Source::file(name).is_stable());
  ASSERT_EQ(::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  EXPECT_FALSE(Source::file(name).is_stable());
  ASSERT_EQ(::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
  EXPECT_TRUE(Source::file(name).is_stable());
  ::close(fd);
}

TEST_F(ChangingFiles, MemoryThatTheCallerDoesNotPromise) {
  for (const bool stable : {true, false}) {
    const auto memory = std::make_shared<std::string>(content());
    const Source source = Source::shared(*memory, memory, "memory", stable);
    EXPECT_EQ(source.is_stable(), stable);
    EXPECT_EQ(source.part(0, memory->size()).is_stable(), stable);
    const Value value = open().decode(source);
    EXPECT_EQ(structure_lies_in(value, *memory), stable);
    if (stable) continue;
    std::memset(memory->data(), '\x7e', memory->size());
    expect_sound(value);
  }
}

TEST_F(ChangingFiles, SourcesOfTheHostInterface) {
  const auto path = file("shared", 0664);
  const std::string name = path.string();
  auto error = make_error();
  const auto decoded = [&](polycodec_source* source) {
    const Value value = open().decode(source->source);
    const bool is_viewed = structure_lies_in(value, source->source.bytes());
    polycodec_source_release(source);
    return is_viewed;
  };
  const std::string bytes = content();
  polycodec_source* source = nullptr;
  ASSERT_EQ(from_bytes(to_bytes(bytes), nullptr, nullptr, {}, &source, &error), POLYCODEC_OK);
  EXPECT_TRUE(decoded(source));
  ASSERT_EQ(from_changing_bytes(to_bytes(bytes), nullptr, nullptr, {}, &source, &error),
            POLYCODEC_OK);
  EXPECT_FALSE(decoded(source));
  // A file that a program shares is as stable as it is.
  for (const std::uint32_t flags : {0u, POLYCODEC_SOURCE_COPY}) {
    const polycodec_file* opened = nullptr;
    ASSERT_EQ(polycodec_file_open(to_bytes(name), flags, &opened, &error), POLYCODEC_OK);
    ASSERT_EQ(from_file(opened, {}, nullptr, &source, &error), POLYCODEC_OK);
    opened->release(opened);
    EXPECT_EQ(decoded(source), flags != 0);
  }
}

TEST_F(ChangingFiles, BlobsOfPrograms) {
  static std::string bytes;
  bytes = content();
  polycodec_store store{};
  store.struct_size = sizeof store;
  store.count = [](const polycodec_store*) { return std::uint64_t{1}; };
  store.entry = [](const polycodec_store*, polycodec_call*, std::uint64_t,
                   polycodec_store_entry* entry, polycodec_error*) {
    entry->name = to_bytes("numbers");
    entry->size = bytes.size();
    return std::int32_t{POLYCODEC_OK};
  };
  store.read = [](const polycodec_store*, polycodec_call*, std::uint64_t, std::uint64_t,
                  std::uint64_t, polycodec_bytes* read, polycodec_error*) {
    *read = to_bytes(bytes);
    return std::int32_t{POLYCODEC_OK};
  };
  store.release = [](const polycodec_store*) {};
  polycodec_source* source = nullptr;
  auto error = make_error();
  ASSERT_EQ(from_store(&store, {}, &source, &error), POLYCODEC_OK);
  {
    const Value value = open().decode(source->source);
    EXPECT_FALSE(structure_lies_in(value, bytes));
    std::memset(bytes.data(), '\x7e', bytes.size());
    expect_sound(value);
  }
  polycodec_source_release(source);
}

TEST_F(ChangingFiles, BlobsOfDirectories) {
  const auto path = file("store/numbers", 0664);
  const Source source = open_source(directory / "store");
  const Value value = open().decode(source);
  EXPECT_FALSE(structure_lies_in(value, source.store()->read("numbers")));
  overwrite(path, '\x7e');
  expect_sound(value);
}

TEST_F(ChangingFiles, MembersOfArchives) {
  const Registry registry = codec.registry();
  const auto path = directory / "store.zip";
  const auto sink = registry.create_store("zip", path);
  const std::string bytes = content();
  Sink& blob = sink->begin_blob("numbers");
  auto error = make_error();
  ASSERT_EQ(polycodec_sink_put(blob.abi(), bytes.data(), bytes.size(), &error), POLYCODEC_OK);
  sink->finish();
  ASSERT_EQ(::chmod(path.c_str(), 0664), 0);
  const Source source = Source::file(path);
  const Value value = open().decode(Source::store(registry.open_store(source)));
  EXPECT_FALSE(structure_lies_in(value, source.bytes()));
  overwrite(path, '\x7e');
  expect_sound(value);
}

/// A store of one blob, which is all of its file after the magic number.
struct OneBlob {
  polycodec_store store{};
  polycodec_store_format format{};
  const polycodec_file* file = nullptr;

  OneBlob() {
    store.struct_size = sizeof store;
    store.private_data = this;
    store.count = [](const polycodec_store*) { return std::uint64_t{1}; };
    store.entry = [](const polycodec_store*, polycodec_call*, std::uint64_t,
                     polycodec_store_entry* entry, polycodec_error*) {
      entry->name = to_bytes("numbers");
      return std::int32_t{POLYCODEC_OK};
    };
    store.find = [](const polycodec_store*, polycodec_call*, polycodec_bytes, std::uint64_t* i,
                    polycodec_error*) {
      *i = 0;
      return std::int32_t{POLYCODEC_OK};
    };
    store.read = [](const polycodec_store* self, polycodec_call* call, std::uint64_t, std::uint64_t,
                    std::uint64_t, polycodec_bytes* content, polycodec_error* error) {
      const polycodec_file* const from = static_cast<const OneBlob*>(self->private_data)->file;
      return from->view(from, call, 8, UINT64_MAX, content, error);
    };
    store.release = [](const polycodec_store*) {};
    format.struct_size = sizeof format;
    format.capabilities = POLYCODEC_CAN_DECODE;
    format.name = "test.one";
    format.manifest = R"({"name": "test.one", "summary": "one blob", "format_version": "1",
      "aliases": [], "media_types": [], "extensions": [".one"],
      "magic": [{"offset": 0, "bytes": "4f4e45424c4f4221", "score": 90}], "decode": true,
      "options": {"type": "object", "additionalProperties": false}})";
    format.private_data = this;
    format.open = [](const polycodec_store_format* self, polycodec_call*,
                     const polycodec_file* given, const polycodec_node*,
                     const polycodec_store** made, polycodec_error*) {
      auto& blob = *static_cast<OneBlob*>(self->private_data);
      blob.file = given;
      *made = &blob.store;
      return std::int32_t{POLYCODEC_OK};
    };
  }
};

TEST_F(ChangingFiles, BlobsOfPlugins) {
  OneBlob one;
  codec.objects.stores = {&one.format};
  const Registry registry = codec.registry();
  const auto path = file("store.one", 0664, "ONEBLOB!" + content());
  const Source source = Source::file(path);
  const Value value =
      registry.codec("test.call").decode(Source::store(registry.open_store(source)));
  EXPECT_FALSE(structure_lies_in(value, source.bytes()));
  overwrite(path, '\x7e');
  expect_sound(value);
}

}  // namespace
}  // namespace polycodec
