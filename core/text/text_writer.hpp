// SPDX-License-Identifier: MIT
// Typed JSON as it is written: brackets and lines, the path there, and what the limits leave.
#pragma once

#include <base/depth.hpp>
#include <base/text_out.hpp>

#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::text {

/// Writes brackets, what separates their items, and indentation, and knows the path of the item
/// that is here.
class TextWriter {
 public:
  /// Charges `meter`.
  TextWriter(TextOut& out, const TextOptions& options, HostMeter& meter)
      : out_(out), options_(options), meter_(meter) {}

  TextOut& out() noexcept { return out_; }
  HostMeter& meter() noexcept { return meter_; }
  const TextOptions& options() const noexcept { return options_; }
  bool pretty() const noexcept { return options_.indent != 0; }

  /// An open list or object: writes brackets and what separates the items, and counts one level of
  /// nesting.
  class Bracket {
   public:
    /// `broken`: each item on its own line, if the options ask for lines at all.
    Bracket(TextWriter& writer, char open, char close, bool broken);
    /// The bracket is one of the notation: paths do not show it.
    void hide() { writer_.places_.back().hidden = true; }
    /// Closes. An exception on its way leaves the text unfinished anyway.
    void end();
    /// Before each item.
    void next() {
      ++writer_.places_.back().items;
      writer_.charge(4);
      if (!first_) writer_.out_.put(compact_ ? std::string_view(", ") : std::string_view(","));
      if (!compact_) line();
      first_ = false;
    }
    /// `count` items were written in one go.
    void passed(std::uint64_t count) { writer_.places_.back().items = count; }

   private:
    void line();

    TextWriter& writer_;
    char close_;
    bool broken_;
    bool compact_;
    bool first_ = true;
  };

  /// A level of nesting without brackets.
  class Level {
   public:
    explicit Level(TextWriter& writer) : writer_(writer) { writer_.descend(); }
    ~Level() { --writer_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TextWriter& writer_;
  };
  /// An array inside another one, which is not a level of nesting.
  class Layer {
   public:
    explicit Layer(TextWriter& writer) : writer_(writer) {
      check_stack(writer_.depth_ + ++writer_.layers_);
      writer_.charge(1);
    }
    ~Layer() { --writer_.layers_; }
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

   private:
    TextWriter& writer_;
  };

  /// Writes the key of a member of the open object.
  void key(std::string_view name);
  /// Charges `units`, and `bytes` bytes of text that follow.
  void charge(std::uint64_t units, std::uint64_t bytes = 0) {
    meter_.tick(units + bytes / 16);
    meter_.check_output(out_.position() + bytes);
  }
  /// Where the item is that was begun last.
  std::string path() const;

 private:
  /// The item of an open bracket, and its name if it has one.
  struct Place {
    std::uint64_t items = 0;  ///< how many were begun
    std::string_view name;
    bool hidden = false;  ///< the bracket belongs to the notation, not to the value
  };

  /// One level of nesting more, or throws Error.
  void descend();

  TextOut& out_;
  const TextOptions& options_;
  HostMeter& meter_;
  std::vector<Place> places_;
  std::uint32_t depth_ = 0;
  std::uint32_t layers_ = 0;  // arrays around here that have no brackets
  std::uint32_t lines_ = 0;   // brackets around here that are broken into lines
};

}  // namespace polycodec::text
