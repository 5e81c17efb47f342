// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/hdf5_store.hpp>

#include "temporary_folder.hpp"

#include <hdf5.h>

namespace polycodec {
namespace {

using test::error_of;

/// Files made with the library itself.
class Hdf5StoreTest : public test::TemporaryFolder {
 protected:
  Hdf5StoreTest() : path((folder / "f.h5").native()) {
    file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }
  void dataset(const char* name, hid_t type, hsize_t size, const void* data, hid_t creation = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(1, &size, nullptr);
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
  ~Hdf5StoreTest() override { close(); }
  std::string path;
  hid_t file;
};

TEST_F(Hdf5StoreTest, ReadsPlainDatasetsInTheFilesByteOrder) {
  const unsigned char bytes[] = {1, 2, 3};
  dataset("bytes", H5T_STD_U8LE, 3, bytes);
  const unsigned char big[] = {0, 0, 0, 5};
  dataset("big", H5T_STD_I32BE, 1, big);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  dataset("g/x", H5T_STD_U8LE, 3, bytes);
  const hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1000;
  H5Pset_chunk(packed, 1, &chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 6);
  const std::string text(5000, 'p');
  dataset("packed", H5T_STD_U8LE, text.size(), text.data(), packed);
  H5Pclose(packed);
  close();
  Hdf5Store store(std::filesystem::path{path});
  EXPECT_EQ(store.entries().size(), 4u);
  EXPECT_EQ(store.read("bytes"), std::string_view("\1\2\3", 3));
  EXPECT_EQ(store.read("big"), std::string_view("\0\0\0\5", 4));
  EXPECT_EQ(store.read("g/x"), std::string_view("\1\2\3", 3));
  EXPECT_EQ(store.read("packed"), text);
}

TEST_F(Hdf5StoreTest, WhatLeadsOutOfTheFileIsRefused) {
  write("raw", "secret bytes");
  dataset("fine", H5T_STD_U8LE, 1, "x");
  H5Lcreate_soft("/fine", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/x", file, "external", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(outside, (folder / "raw").c_str(), 0, 12);
  dataset("outside", H5T_STD_U8LE, 12, nullptr, outside);
  H5Pclose(outside);
  const hid_t variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable, H5T_VARIABLE);
  dataset("variable", variable, 1, nullptr);
  H5Tclose(variable);
  close();
  Hdf5Store store(std::filesystem::path{path});
  ASSERT_EQ(store.entries().size(), 1u);
  EXPECT_EQ(store.entries()[0].name, "fine");
  for (const char* name : {"soft", "external", "outside"})
    EXPECT_EQ(error_of([&] { store.read(name); }).code(), Status::denied) << name;
  EXPECT_EQ(error_of([&] { store.read("variable"); }).code(), Status::unsupported);
  EXPECT_EQ(error_of([&] { store.read("none"); }).code(), Status::not_found);
}

TEST_F(Hdf5StoreTest, HugeUnwrittenDatasetIsRefused) {
  const hid_t late = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1000;
  H5Pset_chunk(late, 1, &chunk);
  dataset("huge", H5T_STD_U8LE, hsize_t{1} << 50, nullptr, late);
  dataset("large", H5T_STD_U8LE, hsize_t{1} << 25, nullptr, late);
  H5Pclose(late);
  close();
  Hdf5Store store(std::filesystem::path{path});
  EXPECT_EQ(error_of([&] { store.read("huge"); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { store.read("large"); }).code(), Status::limit);
}

TEST_F(Hdf5StoreTest, CyclesOfHardLinksEnd) {
  const hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", group, "up", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", group, "up2", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  close();
  EXPECT_EQ(error_of([&] { Hdf5Store(std::filesystem::path{path}, "/", Limits{}, 1000); }).code(), Status::limit);
}

TEST_F(Hdf5StoreTest, BrokenFiles) {
  close();
  EXPECT_EQ(error_of([&] { Hdf5Store(folder / "none"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { Hdf5Store(write("text", "hello")); }).code(), Status::malformed);
  EXPECT_EQ(error_of([] { Hdf5Store(Source::view("hello")); }).code(), Status::malformed);
  const std::string bytes = slurp(path);
  for (std::size_t size = 8; size < bytes.size(); size += 41)
    EXPECT_EQ(error_of([&] { Hdf5Store(Source::owned(bytes.substr(0, size))); }).code(), Status::malformed) << size;
}

}  // namespace
}  // namespace polycodec
