// SPDX-License-Identifier: MIT
// DLPack, against the structures of its own header.
#include <polycodec/array_view.hpp>

#include "core/arrow/arrow.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace polycodec {
namespace {

std::shared_ptr<const Value> shared(Value value) {
  return std::make_shared<Value>(std::move(value));
}
ArrayView leaf_of(const std::shared_ptr<const Value>& value) {
  return ArrayView(*value->root()->as.array);
}

TEST(DLPack, ViewsWhatItCan) {
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  const auto value = shared(Value::build([&](Builder& out) {
    const std::int64_t shape[] = {2, 3};
    return Builder::array(
        out.ndarray(bytes_of(std::span(numbers)), POLYCODEC_DTYPE_FLOAT32, 4, shape));
  }));
  DLManagedTensor* managed = export_dlpack(value, leaf_of(value).raw());
  const DLTensor& tensor = managed->dl_tensor;
  EXPECT_EQ(tensor.data, numbers.data());
  EXPECT_EQ(tensor.ndim, 2);
  EXPECT_EQ(tensor.shape[0], 2);
  EXPECT_EQ(tensor.shape[1], 3);
  EXPECT_EQ(tensor.strides[0], 3);
  EXPECT_EQ(tensor.strides[1], 1);
  EXPECT_EQ(tensor.dtype.code, kDLFloat);
  EXPECT_EQ(tensor.dtype.bits, 32);
  EXPECT_EQ(tensor.dtype.lanes, 1);
  EXPECT_EQ(tensor.device.device_type, kDLCPU);
  const Value back = import_dlpack(managed);  // takes it
  EXPECT_TRUE(equal(value->view(), back.view()));
  EXPECT_EQ(back.root()->as.array->data, numbers.data());
}

TEST(DLPack, StridesOtherThanElementsAndOtherByteOrdersAreCopied) {
  const unsigned char rows[] = {1, 0, 0, 0, 9, 2, 0, 0, 0, 9};  // an int32 and a byte, packed
  const auto packed = shared(Value::build([&](Builder& out) {
    return Builder::array(
        out.strided(bytes_of(std::span(rows)), rows, 2, 5, POLYCODEC_DTYPE_INT32, 4));
  }));
  DLManagedTensor* managed = export_dlpack(packed, leaf_of(packed).raw());
  EXPECT_NE(managed->dl_tensor.data, static_cast<const void*>(rows));
  EXPECT_EQ(static_cast<const std::int32_t*>(managed->dl_tensor.data)[1], 2);
  managed->deleter(managed);

  const std::uint16_t swapped[] = {0x0100, 0x0200};
  const auto big = shared(Value::build([&](Builder& out) {
    const std::int64_t shape[] = {2};
    return Builder::array(out.ndarray(bytes_of(std::span(swapped)), POLYCODEC_DTYPE_UINT16, 2,
                                      shape, POLYCODEC_BIG_ENDIAN));
  }));
  managed = export_dlpack(big, leaf_of(big).raw());
  EXPECT_EQ(static_cast<const std::uint16_t*>(managed->dl_tensor.data)[1], 2);
  managed->deleter(managed);
}

/// DLManagedTensorVersioned of DLPack 1.x, which the header of this machine may not have yet.
struct VersionedTensor {
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags;
  DLTensor tensor;
};
VersionedTensor* versioned(DLManagedTensorVersioned* tensor) {
  return reinterpret_cast<VersionedTensor*>(tensor);
}

TEST(DLPack, VersionsSayWhetherTheTensorIsReadOnlyOrCopied) {
  const std::vector<float> numbers{1, 2, 3};
  const auto value = shared(Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const float>(numbers))); }));
  VersionedTensor* view = versioned(export_dlpack_versioned(value, leaf_of(value).raw()));
  EXPECT_EQ(view->major, 1u);
  EXPECT_EQ(view->flags, 1u);  // read-only
  EXPECT_EQ(view->tensor.data, numbers.data());
  const Value back = import_dlpack(reinterpret_cast<DLManagedTensorVersioned*>(view));
  EXPECT_TRUE(equal(value->view(), back.view()));

  const std::uint16_t swapped[] = {0x0100, 0x0200};
  const auto big = shared(Value::build([&](Builder& out) {
    const std::int64_t shape[] = {2};
    return Builder::array(out.ndarray(bytes_of(std::span(swapped)), POLYCODEC_DTYPE_UINT16, 2,
                                      shape, POLYCODEC_BIG_ENDIAN));
  }));
  VersionedTensor* copy = versioned(export_dlpack_versioned(big, leaf_of(big).raw()));
  EXPECT_EQ(copy->flags, 2u);  // copied, and the consumer's to write to
  copy->major = 2;
  EXPECT_THROW((void)import_dlpack(reinterpret_cast<DLManagedTensorVersioned*>(copy)), Error);
}

TEST(DLPack, NegativeAndZeroStridesAreTaken) {
  std::vector<std::int64_t> data{1, 2, 3, 4};
  std::int64_t shape[] = {4, 2}, strides[] = {-1, 0};
  static int deleted = 0;
  DLManagedTensor managed{};
  managed.dl_tensor.data = data.data();
  managed.dl_tensor.byte_offset = 3 * sizeof(std::int64_t);
  managed.dl_tensor.device = {kDLCPU, 0};
  managed.dl_tensor.ndim = 2;
  managed.dl_tensor.dtype = {kDLInt, 64, 1};
  managed.dl_tensor.shape = shape;
  managed.dl_tensor.strides = strides;
  managed.deleter = [](DLManagedTensor*) { ++deleted; };
  {
    const Value value = import_dlpack(&managed);
    EXPECT_EQ(to_text(value.view(), {.plain = true}), "[[4, 4], [3, 3], [2, 2], [1, 1]]");
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);

  managed.dl_tensor.device.device_type = kDLCUDA;
  EXPECT_THROW((void)import_dlpack(&managed), Error);
  managed.dl_tensor.device.device_type = kDLCPU;
  shape[0] = -1;
  EXPECT_THROW((void)import_dlpack(&managed), Error);
  shape[0] = INT64_MAX;
  EXPECT_THROW((void)import_dlpack(&managed), Error);
  shape[0] = 3;
  strides[0] = INT64_MAX / 2;
  EXPECT_THROW((void)import_dlpack(&managed), Error);
  EXPECT_EQ(deleted, 5) << "a tensor is taken even if it is refused";
}

TEST(DLPack, WhatItHasNoTypeForIsRefused) {
  const auto refused = [](const char* text) {
    const auto value = shared(parse_text(text));
    try {
      DLManagedTensor* made = export_dlpack(value, leaf_of(value).raw());
      made->deleter(made);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::unsupported);
    }
  };
  refused(R"({"type": "2 * string", "value": ["a", "b"]})");
  refused(
      R"({"type": "1 * datetime[unit='s']", "value": [{"$datetime": "2020-01-02T03:04:05Z"}]})");
  refused(R"({"type": "2 * {x: int8}", "value": [{"x": 1}, {"x": 2}]})");
}

}  // namespace
}  // namespace polycodec
