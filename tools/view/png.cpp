// SPDX-License-Identifier: MIT
#include "png.hpp"

#include <polycodec/error.hpp>

#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <new>

namespace polycodec::cli {
namespace {

// The library reports errors by jumps, over which no destructor runs. So each of its calls stands
// alone in a function that returns false after a jump, and keeps nothing that must be destroyed.
struct PngWriter {
  explicit PngWriter(std::string& to) : out(to) {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) throw Error(Status::memory, "no memory for the image");
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png, &info); }

  bool begin(const Image& image) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_write_fn(png, this, on_write, on_flush);
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
                 static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    return true;
  }
  bool row(const std::uint8_t* pixels) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_write_row(png, pixels);
    return true;
  }
  bool end() {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_write_end(png, info);
    return true;
  }
  [[noreturn]] static void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
  static void on_warning(png_structp, png_const_charp) {}
  static void on_flush(png_structp) {}
  static void on_write(png_structp png, png_bytep bytes, std::size_t size) {
    bool full = false;
    try {
      static_cast<PngWriter*>(png_get_io_ptr(png))
          ->out.append(reinterpret_cast<const char*>(bytes), size);
    } catch (const std::bad_alloc&) {
      full = true;
    }
    if (full) png_error(png, "no memory");
  }

  std::string& out;
  png_structp png = nullptr;
  png_infop info = nullptr;
};

void check(bool done) {
  if (!done) throw Error(Status::memory, "no memory for the image");
}

}  // namespace

std::string to_png(const Image& image, Meter* meter) {
  std::string bytes;
  PngWriter writer(bytes);
  check(writer.begin(image));
  for (std::size_t y = 0; y < image.height; ++y) {
    if (meter != nullptr) meter->tick(image.width * 4);
    check(writer.row(image.pixels.data() + y * image.width * 3));
  }
  check(writer.end());
  return bytes;
}

}  // namespace polycodec::cli
