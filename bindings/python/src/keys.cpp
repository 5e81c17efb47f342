// SPDX-License-Identifier: MIT
#include "keys.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace polycodec_python {
namespace {

constexpr std::size_t max_size = 32;

/// All bytes of a name of at most 32: those of one size are equal if their words are.
struct Words {
  std::uint64_t all[4]{};
  bool operator==(const Words&) const = default;
};

Words words_of(const char* data, std::size_t size) noexcept {
  Words words;
  const auto load = [&](std::uint64_t& to, std::size_t at, std::size_t n) {
    std::memcpy(&to, data + at, n);
  };
  if (size >= 8) {
    load(words.all[0], 0, 8);
    load(words.all[1], size - 8, 8);
    if (size > 16) {
      load(words.all[2], 8, 8);
      load(words.all[3], size - 16, 8);
    }
  } else if (size >= 4) {
    load(words.all[0], 0, 4);
    load(words.all[1], size - 4, 4);
  } else {
    for (std::size_t i = 0; i < size; ++i) load(words.all[i], i, 1);
  }
  return words;
}

struct Entry {
  PyObject* string = nullptr;
  std::size_t size = 0;
  Words words;
};
// Never released: the interpreter may be gone before.
std::array<Entry, 1024> cache;

std::uint64_t hash_of(const Words& words, std::size_t size) noexcept {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = (words.all[0] ^ size) * factor ^ words.all[1];
  if (size > 16) hash = (hash * factor ^ words.all[2]) * factor ^ words.all[3];
  hash *= factor;
  return hash >> 32;
}

}  // namespace

PyObject* string_of_name(const char* data, std::size_t size) {
  if (size == 0 || size > max_size)
    return PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogateescape");
  const Words words = words_of(data, size);
  Entry& entry = cache[hash_of(words, size) % cache.size()];
  if (entry.size == size && entry.words == words) {
    Py_INCREF(entry.string);
    return entry.string;
  }
  PyObject* made = PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogateescape");
  if (made == nullptr) return nullptr;
  PyObject* replaced = entry.string;
  Py_INCREF(made);
  entry = {made, size, words};
  Py_XDECREF(replaced);
  return made;
}

}  // namespace polycodec_python
