// SPDX-License-Identifier: MIT
#include <polycodec/reader.hpp>

#include <utility>

namespace polycodec {

void Reader::fail(Status status, std::string message) const {
  throw Error(status, std::move(message), position());
}

void Reader::throw_truncated(const char* what, std::uint64_t need) const {
  fail(Status::truncated, std::string(what) + " needs " + std::to_string(need) +
                              (need == 1 ? " byte, " : " bytes, ") + std::to_string(remaining()) +
                              " left");
}

void Reader::throw_count(const char* what, std::uint64_t count, std::uint64_t item) const {
  fail(Status::truncated, std::string(what) + " declares " + std::to_string(count) +
                              " items of at least " + std::to_string(item) +
                              (item == 1 ? " byte, " : " bytes, ") + std::to_string(remaining()) +
                              " bytes left");
}

void Reader::throw_trailing(const char* what) const {
  fail(Status::trailing, std::to_string(remaining()) +
                             (remaining() == 1 ? " byte follows " : " bytes follow ") + what);
}

void Reader::throw_range(const char* what, std::uint64_t offset, std::uint64_t size) const {
  fail(Status::truncated, std::string(what) + " (" + std::to_string(size) + " bytes at " +
                              std::to_string(offset) + ") is outside of the " +
                              std::to_string(this->size()) + " bytes there are");
}

}  // namespace polycodec
