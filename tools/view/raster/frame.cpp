// SPDX-License-Identifier: MIT
#include "frame.hpp"

namespace polycodec::cli {

Image Frame::image(Meter& meter) const {
  Image out{width_ / samples_, height_ / samples_, {}};
  out.pixels.resize(out.width * out.height * 3);
  std::uint8_t* to = out.pixels.data();
  const auto all = static_cast<unsigned>(samples_ * samples_);
  for (std::size_t y = 0; y < out.height; ++y) {
    meter.tick(out.width * 4);
    for (std::size_t x = 0; x < out.width; ++x) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        unsigned sum = all / 2;
        for (std::size_t sy = 0; sy < samples_; ++sy)
          for (std::size_t sx = 0; sx < samples_; ++sx)
            sum += color_[(y * samples_ + sy) * width_ + x * samples_ + sx][channel];
        *to++ = static_cast<std::uint8_t>(sum / all);
      }
    }
  }
  return out;
}

}  // namespace polycodec::cli
