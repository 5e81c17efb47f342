// SPDX-License-Identifier: MIT
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>

#include "core/arrow/arrow.hpp"
#include "core/value/aligned_memory.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The structures of DLPack's ABI as they have been since its version 0.2, so that its header is not
// needed to build.
extern "C" {
struct DLDevice {
  std::int32_t type;
  std::int32_t id;
};
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: C order
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};
// Of DLPack 1.x.
struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* context;
  void (*deleter)(DLManagedTensorVersioned*);
  std::uint64_t flags;
  DLTensor tensor;
};
}

namespace polycodec {
namespace {

constexpr std::int32_t device_cpu = 1;
enum Code : std::uint8_t {
  code_int = 0,
  code_uint = 1,
  code_float = 2,
  code_complex = 5,
  code_bool = 6
};

struct Known {
  std::uint32_t dtype;
  Code code;
  std::uint8_t bits;
};
constexpr Known dlpack_types[] = {
    {POLYCODEC_DTYPE_BOOLEAN, code_bool, 8},         {POLYCODEC_DTYPE_INT8, code_int, 8},
    {POLYCODEC_DTYPE_INT16, code_int, 16},           {POLYCODEC_DTYPE_INT32, code_int, 32},
    {POLYCODEC_DTYPE_INT64, code_int, 64},           {POLYCODEC_DTYPE_UINT8, code_uint, 8},
    {POLYCODEC_DTYPE_UINT16, code_uint, 16},         {POLYCODEC_DTYPE_UINT32, code_uint, 32},
    {POLYCODEC_DTYPE_UINT64, code_uint, 64},         {POLYCODEC_DTYPE_FLOAT16, code_float, 16},
    {POLYCODEC_DTYPE_FLOAT32, code_float, 32},       {POLYCODEC_DTYPE_FLOAT64, code_float, 64},
    {POLYCODEC_DTYPE_COMPLEX32, code_complex, 32},   {POLYCODEC_DTYPE_COMPLEX64, code_complex, 64},
    {POLYCODEC_DTYPE_COMPLEX128, code_complex, 128},
};

constexpr std::uint32_t dlpack_major = 1;
constexpr std::uint64_t flag_read_only = 1;
constexpr std::uint64_t flag_is_copied = 2;

/// A tensor that is handed out, and what it keeps alive.
template <class Managed>
struct Exported {
  Managed managed{};
  std::shared_ptr<const Value> value;
  Value copy;  // of the elements, where they could not be viewed
  std::vector<std::int64_t> extents;
};

/// A tensor that was taken.
template <class Managed>
struct Imported {
  Managed* managed;
  explicit Imported(Managed* tensor) : managed(tensor) {}
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;
  ~Imported() {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
  }
};

bool strides_are_whole(ArrayView leaf) {
  return std::all_of(leaf.strides().begin(), leaf.strides().end(), [&](std::int64_t s) {
    return s % static_cast<std::int64_t>(leaf.item_size()) == 0;
  });
}

template <class Managed>
Managed* export_tensor(std::shared_ptr<const Value> value, const polycodec_array& exported,
                       const Limits& limits) {
  const ArrayView leaf(exported);
  const auto* type =
      std::find_if(std::begin(dlpack_types), std::end(dlpack_types), [&](const Known& k) {
        return leaf.layout() == POLYCODEC_LAYOUT_NDARRAY && k.dtype == leaf.dtype();
      });
  if (type == std::end(dlpack_types))
    throw Error(Status::unsupported,
                leaf.layout() == POLYCODEC_LAYOUT_NDARRAY
                    ? "DLPack has no type for these elements"
                    : "DLPack has n-d arrays of numbers only; this array has another form");
  auto made = std::make_unique<Exported<Managed>>();
  made->value = std::move(value);
  const polycodec_array* array = &leaf.raw();
  const auto alignment = static_cast<std::uintptr_t>(std::min<std::uint32_t>(leaf.item_size(), 8));
  const bool aligned = reinterpret_cast<std::uintptr_t>(leaf.data()) % alignment == 0;
  if (!leaf.is_host_order() || !strides_are_whole(leaf) || !aligned) {
    Builder out(made->copy.prepare(limits.memory_for(UINT64_MAX)));
    array = make_contiguous(*array, out);
    if (array == &leaf.raw()) {  // contiguous already, and merely at an address that does not fit
      const auto bytes = leaf.contiguous_bytes();
      std::byte* const memory = aligned_memory(out, bytes.size());
      if (!bytes.empty()) std::memcpy(memory, bytes.data(), bytes.size());
      array = out.ndarray(to_string_view(memory, bytes.size()), leaf.dtype(), leaf.item_size(),
                          leaf.shape());
    }
  }
  const ArrayView view(*array);
  made->extents.assign(view.shape().begin(), view.shape().end());
  for (const std::int64_t stride : view.strides())
    made->extents.push_back(stride / static_cast<std::int64_t>(view.item_size()));
  DLTensor& tensor = made->managed.tensor;
  tensor.data = const_cast<std::byte*>(view.data());  // the consumer has been told not to write
  tensor.device = {device_cpu, 0};
  tensor.ndim = static_cast<std::int32_t>(view.ndim());
  tensor.dtype = {type->code, type->bits, 1};
  tensor.shape = made->extents.data();
  tensor.strides = made->extents.data() + view.ndim();
  made->managed.context = made.get();
  made->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->context);
  };
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    made->managed.version = {dlpack_major, 0};
    made->managed.flags = array == &leaf.raw() ? flag_read_only : flag_is_copied;
  }
  return &made.release()->managed;
}

template <class Managed>
Value import_tensor(Managed* given, const Limits& limits) {
  const auto taken = std::make_shared<Imported<Managed>>(given);
  if (given == nullptr) throw Error(Status::invalid, "no tensor");
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    if (given->version.major != dlpack_major)
      throw Error(Status::unsupported, "the tensor is of DLPack " +
                                           std::to_string(given->version.major) +
                                           ": this library reads version 1");
  const DLTensor& tensor = given->tensor;
  if (tensor.device.type != device_cpu)
    throw Error(Status::unsupported, "the tensor lies on device type " +
                                         std::to_string(tensor.device.type) + ", not in memory");
  const auto* type =
      std::find_if(std::begin(dlpack_types), std::end(dlpack_types), [&](const Known& k) {
        return k.code == tensor.dtype.code && k.bits == tensor.dtype.bits &&
               tensor.dtype.lanes == 1;
      });
  if (type == std::end(dlpack_types))
    throw Error(Status::unsupported, "no element type for DLPack's code " +
                                         std::to_string(tensor.dtype.code) + " of " +
                                         std::to_string(tensor.dtype.bits) + " bits and " +
                                         std::to_string(tensor.dtype.lanes) + " lanes");
  if (tensor.ndim < 0 || tensor.ndim > static_cast<std::int32_t>(POLYCODEC_MAX_NDIM))
    throw Error(Status::invalid, "the tensor has " + std::to_string(tensor.ndim) + " dimensions");
  const auto ndim = static_cast<std::size_t>(tensor.ndim);
  const auto size = static_cast<std::int64_t>(dtype_size(type->dtype));
  std::uint64_t elements = 1;
  for (std::size_t axis = 0; axis < ndim; ++axis) {
    const auto next = tensor.shape[axis] < 0
                          ? std::nullopt
                          : checked_mul(elements, static_cast<std::uint64_t>(tensor.shape[axis]));
    if (!next || *next > limits.max_elements)
      throw Error(Status::invalid, "the tensor has a negative or too great shape");
    elements = *next;
  }
  Value value;
  Builder out(value.prepare(limits.memory_for(UINT64_MAX)));
  value.pin(taken);
  const auto* data = static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
  // From the lowest to the highest byte that an element has.
  std::int64_t low = 0, high = size;
  std::vector<std::int64_t> strides(ndim, 0);
  std::int64_t packed = size;
  for (std::size_t axis = ndim; axis-- > 0;) {
    std::int64_t stride = packed, reach = 0;
    if (tensor.strides != nullptr && __builtin_mul_overflow(tensor.strides[axis], size, &stride))
      throw Error(Status::invalid, "a stride of the tensor is too great");
    strides[axis] = stride;
    packed *= std::max<std::int64_t>(tensor.shape[axis], 1);
    if (tensor.shape[axis] > 1 &&
        (__builtin_mul_overflow(tensor.shape[axis] - 1, stride, &reach) ||
         __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high)))
      throw Error(Status::invalid, "the strides of the tensor reach too far");
  }
  if (elements == 0) low = high = 0;
  polycodec_array* leaf =
      out.ndarray(to_string_view(data + low, static_cast<std::uint64_t>(high - low)), type->dtype,
                  static_cast<std::uint32_t>(size), {tensor.shape, ndim});
  leaf->data = data;
  std::copy(strides.begin(), strides.end(), const_cast<std::int64_t*>(leaf->strides));
  value.set_root(out.root(Builder::array(leaf)));
  validate(value.view(), limits, Validation::full);
  return value;
}

}  // namespace

DLManagedTensor* export_dlpack(std::shared_ptr<const Value> value, const polycodec_array& leaf,
                               const Limits& limits) {
  return export_tensor<DLManagedTensor>(std::move(value), leaf, limits);
}
DLManagedTensorVersioned* export_dlpack_versioned(std::shared_ptr<const Value> value,
                                                  const polycodec_array& leaf,
                                                  const Limits& limits) {
  return export_tensor<DLManagedTensorVersioned>(std::move(value), leaf, limits);
}
Value import_dlpack(DLManagedTensor* tensor, const Limits& limits) {
  return import_tensor(tensor, limits);
}
Value import_dlpack(DLManagedTensorVersioned* tensor, const Limits& limits) {
  return import_tensor(tensor, limits);
}

}  // namespace polycodec
