// SPDX-License-Identifier: MIT
// Writing in order: the same bytes as by values, and a clear error for each misuse.
#include "access.hpp"
#include "files.hpp"
#include "mix.hpp"
#include "sensor.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace polycodec::test {
namespace {

namespace rt = fastbin_runtime;

Bytes vector_bytes(const char* name) {
  const std::string text =
      read_file(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "fastbin" / name);
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

template <class T>
std::vector<T> copy_of(const rt::Vector<T>& list) {
  std::vector<T> copy(list.size());
  list.copy_to(copy);
  return copy;
}

/// Writes what `from` views through writers, each part opened in its place.
void write_node(const s_mix::Node& from, s_mix::Node::Writer to) {
  to.pre(from.pre());
  auto leaves = to.leaves();
  for (const s_mix::Leaf& leaf : from.leaves()) {
    auto one = leaves.add();
    one.k(leaf.k()).t(leaf.t());
    one.finish();
  }
  leaves.finish();
  if (const auto number = from.alt().get<std::int64_t>()) to.alt(*number);
  if (const auto text = from.alt().get<std::string_view>()) to.alt(*text);
  if (const auto leaf = from.alt().get<s_mix::Leaf>())
    to.alt(s_mix::Leaf::Values{.k = leaf->k(), .t = leaf->t()});
  if (const auto fx = from.alt().get<s_mix::Fx>())
    to.alt(s_mix::Fx::Values{.a = fx->a(), .b = fx->b()});
  auto fx = to.fx();
  fx.a(from.fx().a()).b(from.fx().b());
  fx.finish();
  auto fxs = to.fxs();
  for (const s_mix::Fx& one : from.fxs()) {
    auto opened = fxs.add();
    opened.a(one.a()).b(one.b());
    opened.finish();
  }
  fxs.finish();
  to.w(copy_of(from.w())).post(from.post());
  to.finish();
}

TEST(FastbinWriter, WritesTheSameBytesAsTheOriginal) {
  const Bytes tree = vector_bytes("mix__tree.bin");
  const auto from = s_mix::Tree::open(tree);
  ASSERT_TRUE(from) << from.error();
  Bytes buffer(tree.size(), std::byte{0x5A});
  rt::Output output(buffer);
  s_mix::Tree::Writer to(output);
  write_node(from->left(), to.left());
  write_node(from->right(), to.right());
  to.depth(from->depth()).title(from->title());
  to.finish();
  const auto written = output.finish();
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(Bytes(written->begin(), written->end()), tree);

  const Bytes node = vector_bytes("mix__node_fx.bin");
  Bytes room(node.size() + 100, std::byte{0x5A});
  rt::Output other(room);
  write_node(s_mix::Node::trust(node.data()), s_mix::Node::Writer(other));
  const auto again = other.finish();
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(Bytes(again->begin(), again->end()), node);
}

TEST(FastbinWriter, EveryLengthThatIsTooSmallIsRefused) {
  const Bytes node = vector_bytes("mix__node_fx.bin");
  const s_mix::Node from = s_mix::Node::trust(node.data());
  for (std::size_t n = 0; n < node.size(); ++n) {
    Bytes room(n);
    rt::Output output(room);
    write_node(from, s_mix::Node::Writer(output));
    const auto written = output.finish();
    ASSERT_FALSE(written) << n;
    EXPECT_EQ(written.error().code, rt::Code::no_room);
    EXPECT_FALSE(output.ok());
  }
}

/// The error of what `misuse` does with a writer of readings.
template <class Misuse>
rt::Error error_of(Misuse misuse) {
  Bytes buffer(1000);
  rt::Output output(buffer);
  {
    s_sensor::Reading::Writer writer(output);
    misuse(writer);
  }
  const auto written = output.finish();
  EXPECT_FALSE(written);
  return written ? rt::Error() : written.error();
}

TEST(FastbinWriter, OrderIsEnforced) {
  rt::Error error = error_of([](auto& w) { w.ts(1).quality(s_sensor::Quality::Good); });
  EXPECT_EQ(error.code, rt::Code::out_of_order);
  EXPECT_EQ(error.path, "Reading.quality");
  EXPECT_EQ(error.offset, 16u);
  EXPECT_EQ(error.message, "'quality' is set, but 'station' comes next");

  error = error_of([](auto& w) { w.ts(1).ts(2); });
  EXPECT_EQ(error.code, rt::Code::out_of_order);
  EXPECT_EQ(error.message, "'ts' is set, but 'station' comes next");

  error = error_of([](auto& w) {
    w.ts(1).station("x");
    w.finish();
  });
  EXPECT_EQ(error.code, rt::Code::out_of_order);
  EXPECT_EQ(error.message, "the struct is finished, but 'quality' has not been set");

  error = error_of([](auto& w) { w.ts(1); });
  EXPECT_EQ(error.code, rt::Code::not_closed);
  EXPECT_EQ(error.message, "the root was not finished");

  error = error_of([](auto& w) {
    w.ts(1).station("x").quality(s_sensor::Quality::Bad).samples({}).ok(true);
    w.finish();
    w.ts(2);
  });
  EXPECT_EQ(error.code, rt::Code::not_closed);
  EXPECT_EQ(error.message, "'ts' is set after its struct has been finished");

  error = error_of([](auto& w) { w.ts(1).station("x").quality({}).samples({}).ok(true).ok(true); });
  EXPECT_EQ(error.code, rt::Code::out_of_order);
  EXPECT_EQ(error.message, "'ok' is set again: all members have been set");
}

TEST(FastbinWriter, PartsAreFinishedBeforeWhatFollowsThem) {
  Bytes buffer(1000);
  {
    rt::Output output(buffer);
    s_sensor::Batch::Writer batch(output);
    [[maybe_unused]] auto readings = batch.readings();
    batch.source("too early");
    const auto written = output.finish();
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, rt::Code::not_closed);
    EXPECT_EQ(written.error().path, "Batch.source");
  }
  {
    rt::Output output(buffer);
    s_sensor::Batch::Writer batch(output);
    [[maybe_unused]] auto readings = batch.readings();
    [[maybe_unused]] auto first = readings.add();
    [[maybe_unused]] auto second = readings.add();
    const auto written = output.finish();
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "an array is used while its element is not finished");
  }
  {
    rt::Output output(buffer);
    s_mix::Node::Writer node(output);
    node.pre(1).leaves(std::span<const s_mix::Leaf::Values>()).alt(std::int64_t{1});
    auto fx = node.fx();
    fx.b(true);  // `a` comes first, in structs of fixed size too
    const auto written = output.finish();
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, rt::Code::out_of_order);
    EXPECT_EQ(written.error().path, "Fx.b");
  }
}

TEST(FastbinWriter, ValuesThatDoNotFitAreRefused) {
  std::array<std::byte, 16> small{};
  const auto short_of = s_mix::Leaf::write({.k = s_mix::Kind::Some, .t = "abc"}, small);
  ASSERT_FALSE(short_of);
  EXPECT_EQ(short_of.error().code, rt::Code::no_room);
  EXPECT_EQ(short_of.error().message, "needs bytes: 32, the buffer has 16");

  // A length that no memory has: nothing is read, because the size is refused first.
  const std::string_view endless(" ", std::size_t{1} << 57);
  EXPECT_EQ(s_mix::Leaf::size_of({.k = {}, .t = endless}), rt::no_size);
  const auto too_large = s_mix::Leaf::write({.k = {}, .t = endless}, small);
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().code, rt::Code::too_large);
}

TEST(FastbinWriter, SizesAreConstants) {
  static_assert(s_mix::Fx::is_fixed && s_mix::Fx::fixed_size == 16);
  static_assert(!s_mix::Leaf::is_fixed && s_mix::Leaf::min_size == 24);
  static_assert(s_mix::Leaf::size_of({.k = s_mix::Kind::Some, .t = "nine byte"}) == 8 + 8 + 24);
  static_assert(to_string(s_mix::Kind::None_) == "None_");
  SUCCEED();
}

}  // namespace
}  // namespace polycodec::test
