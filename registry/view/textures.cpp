// SPDX-License-Identifier: MIT
#include "textures.hpp"

#include <polycodec/error.hpp>

#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace polycodec::cli {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

void check_size(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0 || height > most_texture_pixels / width)
    throw Error(Status::limit, "an image of " + std::to_string(width) + " x " +
                                   std::to_string(height) + " pixels: no more than " +
                                   std::to_string(most_texture_pixels) + " are read");
}

// The libraries report errors by jumps, over which no destructor runs. So each of their calls
// stands alone in a function that returns false after a jump, and keeps nothing that must be
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

Texture::Level read_png(std::string_view bytes, HostMeter& meter) {
  PngReader reader(bytes);
  if (!reader.header()) fail("PNG", reader.problem);
  Texture::Level image;
  image.width = png_get_image_width(reader.png, reader.info);
  image.height = png_get_image_height(reader.png, reader.info);
  check_size(image.width, image.height);
  if (!reader.begin()) fail("PNG", reader.problem);
  image.pixels.resize(image.width * image.height);
  for (int pass = 0; pass < reader.passes; ++pass)
    for (std::size_t y = 0; y < image.height; ++y) {
      meter.tick(image.width * 4);
      if (!reader.row(image.pixels.data() + y * image.width)) fail("PNG", reader.problem);
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
  std::jmp_buf jump{};
  char problem[120] = {};
};

Texture::Level read_jpeg(std::string_view bytes, HostMeter& meter) {
  JpegReader reader(bytes);
  if (!reader.header()) fail("JPEG", reader.problem);
  Texture::Level image;
  image.width = reader.jpeg.image_width;
  image.height = reader.jpeg.image_height;
  check_size(image.width, image.height);
  // The library reads all passes of a progressive image at once, however many there are.
  if (jpeg_has_multiple_scans(&reader.jpeg) != FALSE && image.width * image.height > 1u << 24)
    throw Error(Status::limit, "a progressive JPEG image of more than 16777216 pixels");
  if (!reader.begin()) fail("JPEG", reader.problem);
  image.pixels.resize(image.width * image.height);
  for (std::size_t y = 0; y < image.height; ++y) {
    meter.tick(image.width * 4);
    if (!reader.row(image.pixels.data() + y * image.width)) fail("JPEG", reader.problem);
  }
  return image;
}

}  // namespace

Texture with_copies(Texture::Level image, HostMeter& meter) {
  Texture texture;
  texture.levels.push_back(std::move(image));
  while (texture.levels.back().width > 1 || texture.levels.back().height > 1) {
    const Texture::Level& from = texture.levels.back();
    Texture::Level half{
        std::max<std::size_t>(from.width / 2, 1), std::max<std::size_t>(from.height / 2, 1), {}};
    half.pixels.resize(half.width * half.height);
    for (std::size_t y = 0; y < half.height; ++y) {
      meter.tick(half.width * 4);
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
    texture.levels.push_back(std::move(half));
  }
  return texture;
}

Texture read_texture(std::string_view bytes, HostMeter& meter) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return with_copies(read_png(bytes, meter), meter);
  if (bytes.starts_with("\xff\xd8\xff")) return with_copies(read_jpeg(bytes, meter), meter);
  throw Error(Status::unsupported, "the image is neither PNG nor JPEG");
}

}  // namespace polycodec::cli
