// SPDX-License-Identifier: MIT
// The budget of a call, losses by class, and values that grow while they are built.
#include <base/scratch_arena.hpp>
#include <model/loss.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/path.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace polycodec;

/// A call with a pool of credit, which grants slices of it.
struct TestCall {
  ScratchArena arena{1 << 20};
  polycodec_call abi{};
  std::uint64_t pool = 0;
  std::uint64_t spent = 0;
  std::vector<std::string> losses;

  explicit TestCall(std::uint64_t units) : pool(units) {
    abi.struct_size = sizeof abi;
    abi.arena = arena.abi();
    abi.private_data = this;
    abi.spend = [](polycodec_call* c, std::uint64_t n, polycodec_error* error) {
      auto& self = *static_cast<TestCall*>(c->private_data);
      if (n > self.pool) return fill_error(error, Status::limit, "no more work");
      self.pool -= n;
      self.spent += n;
      return std::int32_t{POLYCODEC_OK};
    };
    abi.report_loss = [](polycodec_call* c, std::int32_t loss_class, polycodec_bytes path,
                         polycodec_bytes, polycodec_error* error) {
      if (loss_class == POLYCODEC_LOSS_DATA)
        return fill_error(error, Status::unsupported, "data must not be lost");
      static_cast<TestCall*>(c->private_data)->losses.emplace_back(to_string_view(path));
      return std::int32_t{POLYCODEC_OK};
    };
  }
  Call call() { return Call(&abi); }
};

TEST(Call, ALossThatIsNotAllowedKeepsItsPath) {
  TestCall test(10);
  try {
    at_step("a", [&] { test.call().report_loss(LossClass::data, "$.a", "units"); });
    ADD_FAILURE() << "the loss is allowed";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.path(), "$.a");
  }
}

TEST(Call, TicksTakeCreditBeforeTheyAsk) {
  TestCall test(10);
  test.abi.credit = 5;
  test.call().tick(5);
  EXPECT_EQ(test.abi.credit, 0u);
  EXPECT_EQ(test.spent, 0u);
  test.call().tick(10);
  EXPECT_EQ(test.spent, 10u);
  EXPECT_THROW(test.call().tick(), Error);
}

TEST(Call, AMeterGivesBackWhatItDidNotUse) {
  TestCall test(2 * call_slice);
  {
    Meter meter(test.call());
    for (int i = 0; i < 100; ++i) meter.tick();
    meter.step(160);  // one item and ten times 16 bytes
    EXPECT_EQ(test.spent, call_slice);
  }
  EXPECT_EQ(test.abi.credit, call_slice - 111);
}

TEST(Call, AMeterEndsWithThePool) {
  TestCall test(call_slice);
  Meter meter(test.call());
  std::uint64_t items = 0;
  EXPECT_THROW(for (;; ++items) meter.tick(), Error);
  EXPECT_EQ(items, call_slice);
}

TEST(Losses, AreAllowedByClass) {
  TestCall test(0);
  Losses notes;
  notes.add("$.a", "a comment", LossClass::note);
  notes.add("$.b", "a width", LossClass::type);
  notes.settle(test.call(), "X", "x.lossy");
  EXPECT_EQ(test.losses, (std::vector<std::string>{"$.a", "$.b"}));
  Losses data;
  data.add("$.c", "a unit");
  try {
    data.settle(test.call(), "X", "x.lossy");
    FAIL() << "data was lost";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.path(), "$.c");
    EXPECT_EQ(e.detail(), "x.lossy");
  }
}

TEST(Builder, ListsAndObjectsGrow) {
  TestCall test(0);
  Builder out(test.call());
  auto list = out.list();
  for (int i = 0; i < 1000; ++i) list.push(Builder::integer(i));
  auto object = out.object();
  object.push("numbers", list);
  object.push("none", out.list());
  const Node root = object;
  const View value(&root);
  std::int64_t sum = 0;
  for (const View item : value["numbers"]) sum += item.as_int64();
  EXPECT_EQ(sum, 499500);
  EXPECT_EQ(value["none"].size(), 0u);
  EXPECT_FALSE(value.find("other").has_value());
  EXPECT_THROW((void)value["other"], Error);
  EXPECT_THROW((void)value["numbers"][1000], Error);
  EXPECT_THROW((void)value.begin(), Error);
}

TEST(Options, AChoiceIsOneOfItsWords) {
  TestCall test(0);
  Builder out(test.call());
  const Node given =
      out.object({{"style", Builder::string_view("rich")}, {"bad", Builder::null()}});
  const Options options(&given);
  EXPECT_EQ(options.choice<int>("style", {{"plain", 1}, {"rich", 2}}), 2);
  EXPECT_EQ(options.choice<int>("other", {{"plain", 1}, {"rich", 2}}), 1);
  EXPECT_THROW((void)options.choice<int>("style", {{"plain", 1}}), Error);
  EXPECT_EQ(options.get("bad", std::int64_t{3}), 3);
}

TEST(Options, AnyIntegerIsAFallback) {
  TestCall test(0);
  Builder out(test.call());
  const Node given = out.object({{"low", Builder::integer(-(std::int64_t{1} << 40))},
                                 {"high", Builder::unsigned_integer(UINT64_MAX)}});
  const Options options(&given);
  EXPECT_EQ(options.get("none", 1 << 30), 1 << 30);
  EXPECT_EQ(options.get("none", 'a'), 'a');
  EXPECT_EQ(options.get("low", 1 << 30), -(std::int64_t{1} << 40));
  EXPECT_EQ(options.get("low", 0u), -(std::int64_t{1} << 40));
  EXPECT_EQ(options.get("high", std::size_t{3}), UINT64_MAX);
  EXPECT_THROW((void)options.get("high", 0), Error);
  EXPECT_THROW((void)options.get("low", std::size_t{0}), Error);
}

}  // namespace
