// SPDX-License-Identifier: MIT
// What a script needs to exchange tensors with polycodec: values from text notation, and back.

#include "core/arrow/arrow.hpp"
#include "core/text/text.hpp"

#include <dlpack/dlpack.h>

#include <cstring>
#include <memory>
#include <string>

extern "C" {

/// A tensor over the array that the text says, or null.
__attribute__((visibility("default"))) DLManagedTensor* tensor_from_text(const char* text) {
  try {
    auto value = std::make_shared<polycodec::Value>(polycodec::parse_text(text));
    const auto* array = value->root()->as.array;
    return polycodec::export_dlpack(std::move(value), *array);
  } catch (const polycodec::Error&) {
    return nullptr;
  }
}

/// Calls the deleter, as a consumer that no longer wants the tensor.
__attribute__((visibility("default"))) void delete_tensor(DLManagedTensor* tensor) {
  tensor->deleter(tensor);
}

/// Takes the tensor; writes its notation into `text` and returns how many bytes that takes.
__attribute__((visibility("default"))) std::size_t text_from_tensor(DLManagedTensor* tensor,
                                                                    char* text, std::size_t size) {
  try {
    const polycodec::Value value = polycodec::import_dlpack(tensor);
    const std::string notation = polycodec::to_text(value.view());
    if (notation.size() < size) std::memcpy(text, notation.c_str(), notation.size() + 1);
    return notation.size();
  } catch (const polycodec::Error&) {
    return 0;
  }
}

}  // extern "C"
