// SPDX-License-Identifier: MIT
#include "registry/choose/content.hpp"

#include <base/length_prefix.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace polycodec {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  std::string_view words;
};

// UTF-32 comes before UTF-16, whose mark it begins with.
constexpr Mark marks[] = {
    {"\x1f\x8b"sv, "it is compressed with gzip: unpack it first, as with 'gzip -d'"},
    {"\x28\xb5\x2f\xfd"sv, "it is compressed with zstd: unpack it first, as with 'zstd -d'"},
    {"\xfd\x37zXZ\0"sv, "it is compressed with xz: unpack it first, as with 'xz -d'"},
    {"\x04\x22\x4d\x18"sv, "it is compressed with lz4: unpack it first, as with 'lz4 -d'"},
    {"PK\x03\x04"sv, "it is a ZIP archive: unpack it first, as with 'unzip'"},
    {"PK\x05\x06"sv, "it is an empty ZIP archive"},
    {"\xff\xfe\0\0"sv,
     "it is text in UTF-32: convert it first, as with 'iconv -f UTF-32 -t UTF-8'"},
    {"\0\0\xfe\xff"sv,
     "it is text in UTF-32: convert it first, as with 'iconv -f UTF-32 -t UTF-8'"},
    {"\xff\xfe"sv, "it is text in UTF-16: convert it first, as with 'iconv -f UTF-16 -t UTF-8'"},
    {"\xfe\xff"sv, "it is text in UTF-16: convert it first, as with 'iconv -f UTF-16 -t UTF-8'"},
    {"\xef\xbb\xbf"sv,
     "it begins with a byte order mark, the bytes EF BB BF: remove them, as with 'tail -c +4'"},
    {"version https://git-lfs.github.com/spec/"sv,
     "it is a pointer of Git LFS, not the file: fetch the file with 'git lfs pull'"},
    {"\x93NUMPY"sv,
     "it is an array of numpy: read it with numpy.load, and write it with polycodec.save"},
    {"PAR1"sv, "it is a Parquet file: read it with pyarrow, and write it with polycodec.save"},
    {"\x89PNG\r\n"sv, "it is a PNG image: give the file that it was made from"},
    {"%PDF-"sv, "it is a PDF document: give the file that it was made from"},
};

/// True for a page of HTML, such as a server sends where a file is missing.
bool is_web_page(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  return std::ranges::any_of(
      std::array{"<!doctype html"sv, "<html"sv}, [&](std::string_view begin) {
        return std::ranges::equal(head.substr(0, begin.size()), begin, [](char a, char b) {
          return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
        });
      });
}

bool is_bzip2(std::string_view head) {
  return head.size() >= 10 && head.starts_with("BZh") && head[3] >= '1' && head[3] <= '9' &&
         (head.substr(4, 6) == "1AY&SY" || head.substr(4, 6) == "\x17\x72\x45\x38\x50\x90");
}

/// The byte order of text in UTF-16 without a mark: every second byte of it is 0, and no other.
const char* utf16_order(std::string_view head) {
  constexpr std::size_t least = 8;
  const std::size_t size = head.size() / 2 * 2;
  if (size < least) return nullptr;
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < size; ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  if (zeros[1] == size / 2 && zeros[0] == 0) return "UTF-16LE";
  if (zeros[0] == size / 2 && zeros[1] == 0) return "UTF-16BE";
  return nullptr;
}

}  // namespace

std::string describe_content(std::string_view head, std::uint64_t total) {
  if (total == 0) return "it is empty: it has 0 bytes";
  const auto* const mark =
      std::ranges::find_if(marks, [&](const Mark& each) { return head.starts_with(each.bytes); });
  if (mark != std::end(marks)) return std::string(mark->words);
  if (is_web_page(head))
    return "it is a web page, perhaps the error of a download: fetch the file again";
  if (is_bzip2(head)) return "it is compressed with bzip2: unpack it first, as with 'bzip2 -d'";
  if (const char* order = utf16_order(head))
    return std::string("it is text in ") + order + ": convert it first, as with 'iconv -f " +
           order + " -t UTF-8'";
  if (head.find_first_not_of('\0') == std::string_view::npos)
    return (head.size() == total ? "all of its " : "its first ") + std::to_string(head.size()) +
           " bytes are 0: it was not written, or it is damaged";
  if (const auto frames = find_length_prefix(head, total))
    return "it consists of frames, with " + frames->words +
           ", before each: read the frames one by one";
  return {};
}

}  // namespace polycodec
