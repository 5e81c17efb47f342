// SPDX-License-Identifier: MIT
#include "keys.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace polycodec_python {
namespace {

constexpr std::size_t max_size = 32;

struct Entry {
  PyObject* string = nullptr;
  std::uint32_t size = 0;
  char data[max_size];
};
// Never released: the interpreter may be gone before.
std::array<Entry, 1024> cache;

std::uint64_t hash_of(const char* data, std::size_t size) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u ^ size;
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    data += 8;
    size -= 8;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, data, size);
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

}  // namespace

PyObject* string_of_name(const char* data, std::size_t size) {
  if (size == 0 || size > max_size)
    return PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogateescape");
  Entry& entry = cache[hash_of(data, size) % cache.size()];
  if (entry.size == size && std::memcmp(entry.data, data, size) == 0) {
    Py_INCREF(entry.string);
    return entry.string;
  }
  PyObject* made = PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogateescape");
  if (made == nullptr) return nullptr;
  PyObject* replaced = entry.string;
  Py_INCREF(made);
  entry.string = made;
  entry.size = static_cast<std::uint32_t>(size);
  std::memcpy(entry.data, data, size);
  Py_XDECREF(replaced);
  return made;
}

}  // namespace polycodec_python
