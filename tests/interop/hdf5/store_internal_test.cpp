// SPDX-License-Identifier: MIT
// The plugin hdf5 on files made with the HDF5 library itself, and the other way round.
#include "error_of.hpp"
#include "plugin_host.hpp"

#include <gtest/gtest.h>
#include <hdf5/format.hpp>
#include <hdf5/library.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <thread>

namespace polycodec {
namespace {

using test::error_of;
using test::MemoryFile;
using test::PluginCall;

const polycodec_store_format& format() {
  return *static_cast<const polycodec_stores*>(StoreFormats<hdf5::Hdf5>::get())->items[0];
}

/// An open store.
class Opened {
 public:
  explicit Opened(const polycodec_file* file, std::uint64_t memory = std::uint64_t{1} << 28)
      : call(memory) {
    invoke(format().open, &format(), static_cast<polycodec_call*>(call), file,
           static_cast<const polycodec_node*>(nullptr), &store);
  }
  ~Opened() {
    if (store != nullptr) store->release(store);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  Store view() { return Store(Call(call), store); }
  std::string read(std::string_view name) { return std::string(view().read(name)); }

  PluginCall call;
  const polycodec_store* store = nullptr;
};

class Hdf5StoreTest : public testing::Test {
 protected:
  Hdf5StoreTest()
      : path(std::filesystem::temp_directory_path() /
             ("polycodec-hdf5-" + std::to_string(::getpid()) + ".h5")),
        file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Hdf5StoreTest() override {
    close();
    std::filesystem::remove(path);
  }
  void dataset(const char* name, hid_t type, std::vector<hsize_t> shape, const void* data,
               hid_t creation = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ASSERT_GE(id, 0);
    if (data != nullptr) {
      ASSERT_GE(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    }
    H5Dclose(id);
    H5Sclose(space);
  }
  void close() {
    if (file >= 0) H5Fclose(file);
    file = -1;
  }
  /// The file as the library wrote it.
  std::string content() {
    close();
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
  }

  std::filesystem::path path;
  hid_t file;
};

TEST_F(Hdf5StoreTest, ReadsPlainDatasetsInTheFilesByteOrder) {
  const unsigned char bytes[] = {1, 2, 3};
  dataset("bytes", H5T_STD_U8LE, {3}, bytes);
  const unsigned char big[] = {0, 0, 0, 5};
  dataset("big", H5T_STD_I32BE, {1}, big);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  dataset("g/x", H5T_STD_U8LE, {3}, bytes);
  const hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1000;
  H5Pset_chunk(packed, 1, &chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 6);
  const std::string text(5000, 'p');
  dataset("packed", H5T_STD_U8LE, {text.size()}, text.data(), packed);
  H5Pclose(packed);
  const MemoryFile memory(content());
  Opened store(memory.file());
  EXPECT_EQ(store.view().size(), 4u);
  EXPECT_EQ(store.read("bytes"), std::string_view("\1\2\3", 3));
  EXPECT_EQ(store.read("big"), std::string_view("\0\0\0\5", 4));
  EXPECT_EQ(store.read("g/x"), std::string_view("\1\2\3", 3));
  EXPECT_EQ(store.read("packed"), text);
}

TEST_F(Hdf5StoreTest, ReadsRangesOfBytes) {
  std::vector<std::uint16_t> numbers(60);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint16_t>(i * 7);
  dataset("matrix", H5T_NATIVE_UINT16, {5, 3, 4}, numbers.data());
  const std::string all(reinterpret_cast<const char*>(numbers.data()), 120);
  const MemoryFile memory(content());
  Opened store(memory.file());
  for (std::uint64_t from = 0; from <= 121; from += 11)
    for (std::uint64_t size : {0u, 1u, 5u, 48u, 200u})
      EXPECT_EQ(store.view().read(0, from, size),
                all.substr(std::min<std::size_t>(from, 120), size));
}

TEST_F(Hdf5StoreTest, ContiguousDatasetsAreReadInPlaceAndMetadataInBlocks) {
  const std::string data(100000, 'd');
  dataset("data", H5T_STD_U8LE, {data.size()}, data.data());
  for (int i = 0; i < 50; ++i) dataset(("n" + std::to_string(i)).c_str(), H5T_STD_U8LE, {1}, "x");
  MemoryFile memory(content());
  Opened store(memory.file());
  const std::string_view found = store.view().read("data");
  EXPECT_EQ(found, data);
  EXPECT_GE(found.data(), memory.bytes.data());
  EXPECT_LE(found.data() + found.size(), memory.bytes.data() + memory.bytes.size());
  // A listing of 51 datasets takes hundreds of small reads.
  EXPECT_LT(memory.reads, 20u);
}

TEST_F(Hdf5StoreTest, WhatLeadsOutOfTheFileIsRefused) {
  dataset("fine", H5T_STD_U8LE, {1}, "x");
  H5Lcreate_soft("/fine", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/x", file, "external", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(outside, "/etc/passwd", 0, 12);
  dataset("outside", H5T_STD_U8LE, {12}, nullptr, outside);
  H5Pclose(outside);
  const hid_t mapped = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t twelve = 12;
  const hid_t space = H5Screate_simple(1, &twelve, nullptr);
  H5Pset_virtual(mapped, space, "other.h5", "/x", space);
  dataset("virtual", H5T_STD_U8LE, {12}, nullptr, mapped);
  H5Sclose(space);
  H5Pclose(mapped);
  const hid_t variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable, H5T_VARIABLE);
  dataset("variable", variable, {1}, nullptr);
  H5Tclose(variable);
  const MemoryFile memory(content());
  Opened store(memory.file());
  ASSERT_EQ(store.view().size(), 1u);
  EXPECT_EQ(store.view()[0].name, "fine");
  for (const char* name : {"soft", "external", "outside", "virtual"})
    EXPECT_EQ(error_of([&] { store.read(name); }).code(), Status::denied) << name;
  EXPECT_EQ(error_of([&] { store.read("variable"); }).code(), Status::unsupported);
  EXPECT_EQ(error_of([&] { store.read("none"); }).code(), Status::not_found);
}

TEST_F(Hdf5StoreTest, HugeUnwrittenDatasetIsRefused) {
  const hid_t late = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1000;
  H5Pset_chunk(late, 1, &chunk);
  dataset("huge", H5T_STD_U8LE, {hsize_t{1} << 50}, nullptr, late);
  dataset("large", H5T_STD_U8LE, {hsize_t{1} << 25}, nullptr, late);
  H5Pclose(late);
  const MemoryFile memory(content());
  Opened store(memory.file(), std::uint64_t{1} << 24);
  EXPECT_EQ(error_of([&] { store.read("huge"); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { store.read("large"); }).code(), Status::limit);
  EXPECT_EQ(store.view().read(*store.view().find("large"), 1 << 20, 3), std::string(3, '\0'));
}

TEST_F(Hdf5StoreTest, CyclesOfHardLinksEnd) {
  const hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", group, "up", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", group, "up2", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  const MemoryFile memory(content());
  PluginCall call(1 << 24, 1000000);
  const polycodec_store* store = nullptr;
  auto error = make_error();
  EXPECT_EQ(format().open(&format(), call, memory.file(), nullptr, &store, &error),
            POLYCODEC_ERROR_LIMIT);
}

TEST_F(Hdf5StoreTest, BrokenFiles) {
  const std::string bytes = content();
  EXPECT_EQ(error_of([] { Opened(MemoryFile("hello").file()); }).code(), Status::malformed);
  for (std::size_t size = 8; size < bytes.size(); size += 41)
    EXPECT_EQ(error_of([&] { Opened(MemoryFile(bytes.substr(0, size)).file()); }).code(),
              Status::malformed)
        << size;
  MemoryFile failing(bytes);
  failing.fail_reads = true;
  EXPECT_EQ(error_of([&] { Opened(failing.file()); }).code(), Status::io);
}

// -- writing --------------------------------------------------------------------------------------

void write(polycodec_store_writer* writer, polycodec_call* call, std::string_view name,
           std::string_view content, std::string_view owner = {}) {
  polycodec_sink* sink = nullptr;
  invoke(writer->begin_blob, writer, call, to_bytes(name), to_bytes(owner), &sink);
  const std::string_view half = content.substr(0, content.size() / 2);
  invoke(polycodec_sink_put, sink, static_cast<const void*>(half.data()),
         std::uint64_t{half.size()});
  const std::string_view rest = content.substr(half.size());
  invoke(sink->reference, sink, static_cast<const void*>(rest.data()), std::uint64_t{rest.size()});
}

struct Release {
  void operator()(polycodec_store_writer* writer) const { writer->release(writer); }
};
using Writer = std::unique_ptr<polycodec_store_writer, Release>;

template <class Function>
Writer open_writer(Function* function, PluginCall& call, MemoryFile& file) {
  polycodec_store_writer* writer = nullptr;
  invoke(function, &format(), static_cast<polycodec_call*>(call), file.output(),
         static_cast<const polycodec_node*>(nullptr), &writer);
  return Writer(writer);
}

TEST_F(Hdf5StoreTest, WritesBlobsThatTheLibraryReads) {
  const std::string large(200000, 'l');
  MemoryFile made, again;
  for (MemoryFile* memory : {&made, &again}) {
    PluginCall call;
    const Writer writer = open_writer(format().create, call, *memory);
    EXPECT_EQ(writer->base, nullptr);
    write(writer.get(), call, "a", "first", "me");
    write(writer.get(), call, "g/h/large", large);
    write(writer.get(), call, "empty", "");
    EXPECT_EQ(error_of([&] { write(writer.get(), call, "g", ""); }).code(), Status::invalid);
    EXPECT_EQ(error_of([&] { write(writer.get(), call, "a/b", ""); }).code(), Status::invalid);
    EXPECT_EQ(error_of([&] { write(writer.get(), call, "../b", ""); }).code(), Status::invalid);
    invoke(writer->commit, writer.get(), static_cast<polycodec_call*>(call));
  }
  EXPECT_EQ(made.bytes, again.bytes);  // the same blobs give the same bytes
  Opened store(made.file());
  std::map<std::string, std::string> owners;
  for (std::uint64_t i = 0; i < store.view().size(); ++i)
    owners[std::string(store.view()[i].name)] = store.view()[i].owner;
  EXPECT_EQ(owners,
            (std::map<std::string, std::string>{{"a", "me"}, {"empty", ""}, {"g/h/large", ""}}));
  close();
  put(made.bytes);
  file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t id = H5Dopen2(file, "g/h/large", H5P_DEFAULT);
  std::string found(large.size(), '\0');
  ASSERT_GE(H5Dread(id, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
  H5Dclose(id);
  EXPECT_EQ(found, large);
}

TEST_F(Hdf5StoreTest, EditingLeavesTheRestAsItIs) {
  const double numbers[] = {1.5, 2.5, 3.5, 4.5};
  dataset("numbers", H5T_IEEE_F64BE, {2, 2}, numbers);
  dataset("old", H5T_STD_U8LE, {3}, "old");
  const hid_t with = H5Dopen2(file, "numbers", H5P_DEFAULT);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const int unit = 7;
  const hid_t attribute =
      H5Acreate2(with, "unit", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &unit);
  H5Aclose(attribute);
  H5Sclose(scalar);
  H5Dclose(with);
  H5Lcreate_soft("/numbers", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  MemoryFile memory(content());
  {
    PluginCall call;
    const Writer writer = open_writer(format().edit, call, memory);
    ASSERT_NE(writer->base, nullptr);
    const Store base(Call(call), writer->base);
    EXPECT_EQ(base.read("old"), "old");
    EXPECT_EQ(error_of([&] {
                invoke(writer->remove, writer.get(), static_cast<polycodec_call*>(call),
                       *base.find("old"), to_bytes("somebody"));
              }).code(),
              Status::denied);
    EXPECT_EQ(error_of([&] { write(writer.get(), call, "soft", "x"); }).code(), Status::invalid);
    invoke(writer->remove, writer.get(), static_cast<polycodec_call*>(call), *base.find("old"),
           polycodec_bytes{});
    write(writer.get(), call, "g/new", "new", "owner");
    invoke(writer->commit, writer.get(), static_cast<polycodec_call*>(call));
  }
  Opened store(memory.file());
  EXPECT_EQ(store.read("g/new"), "new");
  EXPECT_EQ(error_of([&] { store.read("old"); }).code(), Status::not_found);
  EXPECT_EQ(error_of([&] { store.read("soft"); }).code(), Status::denied);
  put(memory.bytes);
  file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t id = H5Dopen2(file, "numbers", H5P_DEFAULT);
  const hid_t type = H5Dget_type(id);
  EXPECT_GT(H5Tequal(type, H5T_IEEE_F64BE), 0);
  EXPECT_GT(H5Aexists(id, "unit"), 0);
  H5Tclose(type);
  H5Dclose(id);
}

/// Datasets as h5py's users make them: chunks, filters, attributes, strings of variable length.
TEST_F(Hdf5StoreTest, ForeignDatasetsOutliveChanges) {
  const hid_t text_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(text_type, H5T_VARIABLE);
  H5Tset_cset(text_type, H5T_CSET_UTF8);
  const char* texts[] = {"one", "", "a longer text"};
  dataset("texts", text_type, {3}, texts);
  const hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {10, 2};
  H5Pset_chunk(packed, 2, chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 4);
  std::vector<std::int16_t> numbers(400);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int16_t>(i);
  dataset("numbers", H5T_STD_I16BE, {100, 4}, numbers.data(), packed);
  H5Pclose(packed);
  const hid_t described = H5Dopen2(file, "numbers", H5P_DEFAULT);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t unit = H5Acreate2(described, "unit", text_type, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const char* meters = "m";
  H5Awrite(unit, text_type, &meters);
  H5Aclose(unit);
  H5Sclose(scalar);
  H5Dclose(described);
  MemoryFile memory(content());
  const std::string mine(5000, 'm');         // stays until it is committed
  for (int round = 0; round < 3; ++round) {  // adds, replaces, removes
    PluginCall call;
    const Writer writer = open_writer(format().edit, call, memory);
    const Store base(Call(call), writer->base);
    if (round != 0)
      invoke(writer->remove, writer.get(), static_cast<polycodec_call*>(call), *base.find("mine/1"),
             to_bytes("mine"));
    if (round != 2) write(writer.get(), call, "mine/1", mine, "mine");
    invoke(writer->commit, writer.get(), static_cast<polycodec_call*>(call));
  }
  put(memory.bytes);
  file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t strings = H5Dopen2(file, "texts", H5P_DEFAULT);
  char* found[3] = {};
  ASSERT_GE(H5Dread(strings, text_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_STREQ(found[i], texts[i]);
    H5free_memory(found[i]);
  }
  H5Dclose(strings);
  const hid_t matrix = H5Dopen2(file, "numbers", H5P_DEFAULT);
  const hid_t type = H5Dget_type(matrix);
  EXPECT_GT(H5Tequal(type, H5T_STD_I16BE), 0);
  H5Tclose(type);
  const hid_t creation = H5Dget_create_plist(matrix);
  hsize_t shape[2] = {};
  EXPECT_EQ(H5Pget_chunk(creation, 2, shape), 2);
  EXPECT_EQ(shape[0], 10u);
  EXPECT_EQ(H5Pget_nfilters(creation), 2);
  H5Pclose(creation);
  std::vector<std::int16_t> read(numbers.size());
  ASSERT_GE(H5Dread(matrix, H5T_STD_I16BE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  EXPECT_EQ(read, numbers);
  const hid_t attribute = H5Aopen(matrix, "unit", H5P_DEFAULT);
  char* unit_text = nullptr;
  ASSERT_GE(H5Aread(attribute, text_type, &unit_text), 0);
  EXPECT_STREQ(unit_text, "m");
  H5free_memory(unit_text);
  H5Aclose(attribute);
  H5Dclose(matrix);
  H5Tclose(text_type);
}

TEST_F(Hdf5StoreTest, GroupsThatRemovalLeavesEmptyGo) {
  for (const char* group : {"full", "full/deep", "noted", "noted/deep", "empty"})
    H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  dataset("full/other", H5T_STD_U8LE, {5}, "other");
  const hid_t noted = H5Gopen2(file, "noted", H5P_DEFAULT);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  H5Aclose(H5Acreate2(noted, "note", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(scalar);
  H5Gclose(noted);
  MemoryFile memory(content());
  for (const bool add : {true, false}) {
    PluginCall call;
    const Writer writer = open_writer(format().edit, call, memory);
    const Store base(Call(call), writer->base);
    for (const char* name : {"a/b/1", "full/deep/1", "noted/deep/1"}) {
      if (add)
        write(writer.get(), call, name, "x", "me");
      else
        invoke(writer->remove, writer.get(), static_cast<polycodec_call*>(call), *base.find(name),
               to_bytes("me"));
    }
    invoke(writer->commit, writer.get(), static_cast<polycodec_call*>(call));
  }
  put(memory.bytes);
  file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(H5Lexists(file, "a", H5P_DEFAULT), 0);
  EXPECT_GT(H5Lexists(file, "full/other", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "full/deep", H5P_DEFAULT), 0);
  EXPECT_GT(H5Lexists(file, "noted", H5P_DEFAULT), 0);
  EXPECT_GT(H5Lexists(file, "empty", H5P_DEFAULT), 0);  // nobody removed anything from it
}

TEST_F(Hdf5StoreTest, WithoutCommitNothingIsWritten) {
  dataset("old", H5T_STD_U8LE, {3}, "old");
  MemoryFile memory(content());
  const std::string before = memory.bytes;
  PluginCall call;
  {
    const Writer writer = open_writer(format().edit, call, memory);
    write(writer.get(), call, "new", "new");
  }
  EXPECT_EQ(error_of([&] { Opened(memory.file()).read("new"); }).code(), Status::not_found);
  EXPECT_EQ(Opened(memory.file()).read("old"), "old");
}

TEST_F(Hdf5StoreTest, TwoStoresOverOneFileLiveApart) {
  dataset("old", H5T_STD_U8LE, {3}, "old");
  const MemoryFile memory(content());
  auto first = std::make_unique<Opened>(memory.file());
  Opened second(memory.file());
  std::thread reader([&] { EXPECT_EQ(second.read("old"), "old"); });
  EXPECT_EQ(first->read("old"), "old");
  reader.join();
  first.reset();
  EXPECT_EQ(second.read("old"), "old");
}

TEST(Hdf5Library, LoadsNoPluginsOfTheEnvironment) {
  unsigned before = 0, inside = 1, after = 0;
  ASSERT_GE(H5PLget_loading_state(&before), 0);
  {
    const hdf5::Lock lock;  // around each call of the library
    ASSERT_GE(H5PLget_loading_state(&inside), 0);
  }
  ASSERT_GE(H5PLget_loading_state(&after), 0);
  EXPECT_EQ(inside, 0u);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace polycodec
