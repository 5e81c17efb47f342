// SPDX-License-Identifier: MIT
#include "textures.hpp"

#include "image_file.hpp"

#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <queue>
#include <string>
#include <utility>

namespace polycodec::cli {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

constexpr unsigned most_png_chunks = 16;  // of text and the like, which may take a MiB each
constexpr int most_jpeg_scans = 500;      // each goes over the whole image

void check_size(std::uint64_t width, std::uint64_t height, bool comes_in_passes) {
  const std::uint64_t most = comes_in_passes ? most_pixels_in_passes : most_image_pixels;
  if (width == 0 || height == 0 || height > most / width)
    throw Error(Status::limit,
                std::string(comes_in_passes ? "an interlaced or progressive" : "an") +
                    " image of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels: no more than " + std::to_string(most) + " are read");
}

/// Memory that is free again after a while.
class Lent {
 public:
  Lent(ImageRoom& room, std::uint64_t bytes) : room_(room), bytes_(bytes) { room.take(bytes); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { room_.give_back(bytes_); }

 private:
  ImageRoom& room_;
  std::uint64_t bytes_;
};

Texture::Level empty_level(std::size_t width, std::size_t height, ImageRoom& room) {
  room.take(width * height * sizeof(Pixel));
  Texture::Level level{width, height, {}};
  level.pixels.resize(width * height);
  return level;
}

Texture::Level half_of(const Texture::Level& from, ImageRoom& room) {
  Texture::Level half = empty_level(std::max<std::size_t>(from.width / 2, 1),
                                    std::max<std::size_t>(from.height / 2, 1), room);
  for (std::size_t y = 0; y < half.height; ++y) {
    room.spend(half.width * 4);
    for (std::size_t x = 0; x < half.width; ++x) {
      const std::size_t x1 = std::min(2 * x + 1, from.width - 1);
      const std::size_t y1 = std::min(2 * y + 1, from.height - 1);
      const std::size_t x0 = std::min(2 * x, x1);
      const std::size_t y0 = std::min(2 * y, y1);
      for (std::size_t k = 0; k < 4; ++k)
        half.pixels[y * half.width + x][k] = static_cast<std::uint8_t>(
            (from.pixels[y0 * from.width + x0][k] + from.pixels[y0 * from.width + x1][k] +
             from.pixels[y1 * from.width + x0][k] + from.pixels[y1 * from.width + x1][k] + 2) /
            4);
    }
  }
  return half;
}

/// Takes the rows of an image from the top, and keeps of each square of pixels their mean.
class Shrinker {
 public:
  Shrinker(std::size_t width, std::size_t height, unsigned halvings, ImageRoom& room)
      : side_(std::size_t{1} << std::min(halvings, 30u)),
        width_(width),
        height_(height),
        level_(empty_level(1 + (width - 1) / side_, 1 + (height - 1) / side_, room)) {
    if (side_ == 1) return;
    row_.resize(width);
    sums_.resize(level_.width);
  }
  /// The place of the next row.
  Pixel* row() noexcept { return side_ == 1 ? level_.pixels.data() + y_ * width_ : row_.data(); }
  /// The row is there.
  void next() noexcept {
    ++y_;
    if (side_ == 1) return;
    for (std::size_t at = 0; at < sums_.size(); ++at) {
      std::array<std::uint64_t, 4> sum = sums_[at];
      for (std::size_t x = at * side_; x < std::min(width_, (at + 1) * side_); ++x)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += row_[x][k];
      sums_[at] = sum;
    }
    if (y_ % side_ == 0 || y_ == height_) put();
  }
  Texture::Level take() noexcept { return std::move(level_); }

 private:
  void put() noexcept {
    const std::size_t line = (y_ - 1) / side_;
    const std::size_t rows = y_ - line * side_;
    for (std::size_t at = 0; at < sums_.size(); ++at) {
      const std::uint64_t count = rows * (std::min(width_, (at + 1) * side_) - at * side_);
      for (std::size_t k = 0; k < 4; ++k)
        level_.pixels[line * level_.width + at][k] =
            static_cast<std::uint8_t>((sums_[at][k] + count / 2) / count);
      sums_[at] = {};
    }
  }

  const std::size_t side_, width_, height_;
  std::size_t y_ = 0;
  std::vector<Pixel> row_;
  std::vector<std::array<std::uint64_t, 4>> sums_;
  Texture::Level level_;
};

// The libraries report errors by jumps, over which no destructor runs. So each of their calls
// is alone in a function that returns false after a jump, and keeps nothing that must be
// destroyed.

struct PngReader {
  explicit PngReader(std::string_view bytes) : left(bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) throw Error(Status::memory, "no memory for an image");
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  bool header() {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_user_limits(png, 1u << 20, 1u << 20);
    png_set_chunk_malloc_max(png, 1u << 20);
    png_set_chunk_cache_max(png, most_png_chunks);
    png_set_read_fn(png, this, on_read);
    png_read_info(png, info);
    return true;
  }
  bool begin() {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_filler(png, 0xff, PNG_FILLER_AFTER);
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return png_get_rowbytes(png, info) == std::size_t{4} * png_get_image_width(png, info);
  }
  bool row(Pixel* to) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_read_row(png, reinterpret_cast<png_bytep>(to), nullptr);
    return true;
  }
  [[noreturn]] static void on_error(png_structp png, png_const_charp text) {
    auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::snprintf(self.problem, sizeof self.problem, "%s", text);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  static void on_read(png_structp png, png_bytep to, std::size_t size) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (size > self.left.size()) png_error(png, "the file ends too early");
    std::memcpy(to, self.left.data(), size);
    self.left.remove_prefix(size);
  }

  std::string_view left;
  png_structp png = nullptr;
  png_infop info = nullptr;
  int passes = 1;
  char problem[120] = {};
};

[[noreturn]] void fail(const char* format, const char* problem) {
  throw Error(Status::malformed, "a broken " + std::string(format) + " image: " + problem);
}

Texture::Level read_png(std::string_view bytes, unsigned halvings, ImageRoom& room) {
  PngReader reader(bytes);
  if (!reader.header()) fail("PNG", reader.problem);
  const std::size_t width = png_get_image_width(reader.png, reader.info);
  const std::size_t height = png_get_image_height(reader.png, reader.info);
  const bool is_interlaced = png_get_interlace_type(reader.png, reader.info) != PNG_INTERLACE_NONE;
  check_size(width, height, is_interlaced);
  if (!reader.begin()) fail("PNG", reader.problem);
  if (!is_interlaced) {
    Shrinker image(width, height, halvings, room);
    for (std::size_t y = 0; y < height; ++y, image.next()) {
      room.spend(width * 4);
      if (!reader.row(image.row())) fail("PNG", reader.problem);
    }
    return image.take();
  }
  Texture::Level image = empty_level(width, height, room);
  for (int pass = 0; pass < reader.passes; ++pass)
    for (std::size_t y = 0; y < height; ++y) {
      room.spend(width * 4);
      if (!reader.row(image.pixels.data() + y * width)) fail("PNG", reader.problem);
    }
  for (; halvings > 0 && image.pixels.size() > 1; --halvings) {
    Texture::Level half = half_of(image, room);
    room.give_back(image.pixels.size() * sizeof(Pixel));
    image = std::move(half);
  }
  return image;
}

struct JpegReader {
  explicit JpegReader(std::string_view bytes) : input(bytes) {
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = on_error;
    errors.emit_message = [](j_common_ptr, int) {};
    jpeg.client_data = this;
    jpeg_create_decompress(&jpeg);
    progress.progress_monitor = on_progress;
    jpeg.progress = &progress;
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&jpeg); }

  bool header() {
    if (setjmp(jump) != 0) return false;
    jpeg.mem->max_memory_to_use = 512L << 20;
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(input.data()),
                 static_cast<unsigned long>(input.size()));
    return jpeg_read_header(&jpeg, TRUE) == JPEG_HEADER_OK;
  }
  bool begin() {
    if (setjmp(jump) != 0) return false;
    jpeg.out_color_space = JCS_EXT_RGBA;
    return jpeg_start_decompress(&jpeg) == TRUE;
  }
  bool row(Pixel* to) {
    if (setjmp(jump) != 0) return false;
    auto* line = reinterpret_cast<JSAMPROW>(to);
    return jpeg_read_scanlines(&jpeg, &line, 1) == 1;
  }
  static void on_progress(j_common_ptr info) {
    auto& self = *static_cast<JpegReader*>(info->client_data);
    if (self.jpeg.input_scan_number <= most_jpeg_scans) return;
    std::snprintf(self.problem, sizeof self.problem, "more than %d scans", most_jpeg_scans);
    std::longjmp(self.jump, 1);
  }
  [[noreturn]] static void on_error(j_common_ptr info) {
    auto& self = *static_cast<JpegReader*>(info->client_data);
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    std::snprintf(self.problem, sizeof self.problem, "%.*s",
                  static_cast<int>(sizeof self.problem) - 1, text);
    std::longjmp(self.jump, 1);
  }

  std::string_view input;
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  char problem[120] = {};
};

/// Bytes of the coefficients that the library keeps of an image with several scans.
std::uint64_t coefficient_bytes(const jpeg_decompress_struct& jpeg) noexcept {
  std::uint64_t blocks = 0;
  for (int i = 0; i < jpeg.num_components; ++i)
    blocks += std::uint64_t{jpeg.comp_info[i].width_in_blocks} * jpeg.comp_info[i].height_in_blocks;
  return blocks * sizeof(JBLOCK);
}

Texture::Level read_jpeg(std::string_view bytes, unsigned halvings, ImageRoom& room) {
  JpegReader reader(bytes);
  if (!reader.header()) fail("JPEG", reader.problem);
  const std::size_t width = reader.jpeg.image_width;
  const std::size_t height = reader.jpeg.image_height;
  // The library reads all passes of a progressive image at once.
  const bool has_scans = jpeg_has_multiple_scans(&reader.jpeg) != FALSE;
  check_size(width, height, has_scans);
  const Lent coefficients(room, has_scans ? coefficient_bytes(reader.jpeg) : 0);
  if (!reader.begin()) fail("JPEG", reader.problem);
  Shrinker image(width, height, halvings, room);
  for (std::size_t y = 0; y < height; ++y, image.next()) {
    room.spend(width * 4);
    if (!reader.row(image.row())) fail("JPEG", reader.problem);
  }
  return image.take();
}

}  // namespace

void ImageRoom::take(std::uint64_t bytes) {
  if (bytes > max_memory_ - taken_)
    throw Error(Status::limit, "the image would take more memory than the limit of " +
                                   std::to_string(max_memory_) + " bytes: raise max_memory_bytes")
        .detail("limit.max_memory_bytes");
  taken_ += bytes;
}

Texture with_copies(Texture::Level image, ImageRoom& room) {
  Texture texture;
  texture.levels.push_back(std::move(image));
  while (texture.levels.back().width > 1 || texture.levels.back().height > 1)
    texture.levels.push_back(half_of(texture.levels.back(), room));
  return texture;
}

Texture read_texture(std::string_view bytes, unsigned halvings, ImageRoom& room) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"))
    return with_copies(read_png(bytes, halvings, room), room);
  if (bytes.starts_with("\xff\xd8\xff")) return with_copies(read_jpeg(bytes, halvings, room), room);
  throw Error(Status::unsupported, "the image is neither PNG nor JPEG");
}

std::vector<unsigned> halvings_of(const std::vector<std::uint64_t>& pixels, std::uint64_t most) {
  std::vector<unsigned> halvings(pixels.size());
  std::uint64_t sum = 0;
  std::priority_queue<std::pair<std::uint64_t, std::size_t>> by_size;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    sum += pixels[i];
    by_size.emplace(pixels[i], i);
  }
  while (sum > most && by_size.top().first > 1) {
    const auto [size, number] = by_size.top();
    by_size.pop();
    ++halvings[number];
    sum -= size - (size + 3) / 4;
    by_size.emplace((size + 3) / 4, number);
  }
  return halvings;
}

}  // namespace polycodec::cli
