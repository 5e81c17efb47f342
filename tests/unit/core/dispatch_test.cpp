// SPDX-License-Identifier: MIT
#include "core/dispatch/dispatch.hpp"

#include <base/pattern.hpp>
#include <polycodec/builder.hpp>

#include "core/value/value.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace polycodec {
namespace {

using test::error_of;
using Path = std::vector<std::string_view>;

std::int32_t call_first(const polycodec_function*, polycodec_call*, const polycodec_node* args,
                        const polycodec_node*, const polycodec_node** result, polycodec_error*) {
  static constexpr polycodec_node null_node{};
  *result = NodeView(args).size() == 0 ? &null_node : NodeView(args)[0].raw();
  return POLYCODEC_OK;
}
std::int32_t call_fails(const polycodec_function*, polycodec_call*, const polycodec_node*,
                        const polycodec_node*, const polycodec_node**, polycodec_error* error) {
  return fill_error(error, Status::malformed, "bad stream", 7, "zlib.data", "$.args[0]");
}
std::int32_t call_nothing(const polycodec_function*, polycodec_call*, const polycodec_node*,
                          const polycodec_node*, const polycodec_node**, polycodec_error*) {
  return POLYCODEC_OK;
}

const char* const first_path[] = {"zlib", "decompress"};
const char* const fails_path[] = {"zlib", "fail"};
const char* const nothing_path[] = {"nothing"};
const polycodec_function first{sizeof(polycodec_function),
                               2,
                               first_path,
                               "first argument",
                               0,
                               2,
                               nullptr,
                               &call_first,
                               nullptr};
const polycodec_function fails{sizeof(polycodec_function),
                               2,
                               fails_path,
                               "fails",
                               0,
                               UINT32_MAX,
                               nullptr,
                               &call_fails,
                               nullptr};
const polycodec_function nothing{sizeof(polycodec_function),
                                 1,
                                 nothing_path,
                                 "no result",
                                 0,
                                 0,
                                 nullptr,
                                 &call_nothing,
                                 nullptr};

class DispatchTest : public ::testing::Test {
 protected:
  DispatchTest() {
    table = FunctionTable::Builder().add(&first, "p").add(&fails, "p").add(&nothing, "p").freeze();
  }
  const polycodec_node* call(const Allowlist& allowlist, const Path& path, const Value& args) {
    DispatchContext context;
    context.where = "$.schema";
    context.on_denied = [this](const Denial& denial) {
      denials.push_back(std::string(denial.function) + " at " + std::string(denial.where) +
                        " not in " + std::string(denial.specifiers));
    };
    return dispatch(table, allowlist, path, args.root(), nullptr, context);
  }
  static Value arguments(std::uint64_t count) {
    return Value::build([&](Builder& b) {
      polycodec_node* nodes;
      const auto list = b.list(count, &nodes);
      for (std::uint64_t i = 0; i < count; ++i)
        nodes[i] = Builder::integer(static_cast<std::int64_t>(i) + 40);
      return list;
    });
  }
  FunctionTable table;
  std::vector<std::string> denials;
};

TEST_F(DispatchTest, TheLineThatAllowsAFunctionAllowsNoOther) {
  for (const std::string name : {"*", "a?[b]", "[!x]", "plain", "\"]], \"x\": [["}) {
    const Path path = {"p", name};
    std::string said;
    try {
      (void)call(Allowlist(), path, arguments(0));
    } catch (const Error& error) {
      said = error.message();
    }
    const std::string key = "\"allow_also\": ";
    const std::size_t begin = said.find(key) + key.size();
    const Allowlist line =
        Allowlist::parse(said.substr(begin, said.find(" in the configuration") - begin));
    EXPECT_TRUE(line.allows(path)) << said;
    EXPECT_FALSE(line.allows(Path{"p", "another"})) << said;
  }
}

TEST(Pattern, Table) {
  const std::string nul("a\0b", 3);
  const struct {
    std::string_view pattern, text;
    bool matches;
  } cases[] = {
      {"", "", true},
      {"", "a", false},
      {"a", "", false},
      {"*", "", true},
      {"*", "anything.at/all", true},
      {"**", "x", true},
      {"a*", "abc", true},
      {"a*", "bac", false},
      {"*Array", "JaggedArray", true},
      {"*Array", "JaggedArrayX", false},
      {"*a*b*c", "xxaxxbxxc", true},
      {"*a*b*c", "xxaxxcxxb", false},
      {"?", "a", true},
      {"?", "", false},
      {"?", "ab", false},
      {"Array", "array", false},
      {"[abc]", "b", true},
      {"[abc]", "d", false},
      {"[a-c]x", "bx", true},
      {"[c-a]", "b", false},
      {"[!abc]", "d", true},
      {"[!abc]", "a", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[!]]", "a", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[!a-c]*", "dabc", true},
      {"[", "[", true},
      {"[a", "[a", true},
      {"[a", "a", false},
      {"[]", "[]", true},
      {"x[*", "x[yz", true},
      {"[*]", "*", true},
      {"[*]", "a", false},
      {"[^a]", "a", true},
      {".", "x", false},
      {"\\*", "\\x", true},
      {"\\*", "*", false},
      {"a*b", nul, true},
      {"a", nul, false},
      {"a?b", nul, true},
      {std::string_view("a\0b", 3), nul, true},
      {std::string_view("a\0c", 3), nul, false},
      {"decompress",
       "d\xd0\xb5"
       "compress",
       false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(match_pattern(c.pattern, c.text), c.matches) << c.pattern << " against " << c.text;
}

TEST(Pattern, ManyStarsDoNotExplode) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(match_pattern(pattern + "b", std::string(20000, 'a')));
}

TEST(AllowlistTest, Table) {
  const struct {
    const char* allowlist;
    Path path;
    bool allowed;
  } cases[] = {
      {R"([["zlib","decompress"]])", {"zlib", "decompress"}, true},
      {R"([["zlib","decompress"]])", {"zlib", "Decompress"}, false},
      {R"(["zlib","decompress"])", {"zlib", "decompress"}, true},
      {R"("zlib")", {"zlib"}, true},
      {R"("zlib")", {"zlib", "decompress"}, false},
      {R"("zlib*")", {"zlib", "decompress"}, false},
      {R"("*")", {"zlib", "decompress"}, true},
      {R"(["*"])", {"a", "b", "c"}, true},
      {R"([["*"]])", {"a"}, true},
      {R"(["*","*"])", {"a", "b"}, true},
      {R"(["*","*"])", {"a", "b", "c"}, false},
      {R"(["*","*"])", {"a"}, false},
      {R"("**")", {"a", "b"}, false},
      {R"("**")", {"a"}, true},
      {R"([])", {"zlib", "decompress"}, false},
      {R"([])", {}, false},
      {R"(["awkward0","*Array","from*"])", {"awkward0", "JaggedArray", "fromcounts"}, true},
      {R"(["awkward0","*Array"])", {"awkward0", "JaggedArray", "fromcounts"}, false},
      {R"(["awkward0","*Array"])",
       {"awkward0", "JaggedArray", "fromcounts", "__func__", "__globals__", "get"},
       false},
      {R"([["awkward0.persist"]])", {"awkward0.persist", "topython"}, false},
      {R"([["awkward0"]])", {"awkward0", "persist", "topython"}, false},
      {R"([["awkward0.persist","json2type"]])", {"awkward0.persist", "topython"}, false},
      {R"(["awkward0","JaggedArray","fromcounts"])", {"awkward0"}, false},
      {R"([["a","b"],["c","d"]])", {"c", "d"}, true},
      {R"([["a","b"],["c","d"]])", {"a", "d"}, false},
      {R"(["zlib","decompress"])", {"zlib", std::string_view("decompress\0x", 12)}, false},
      {R"(["zlib","decompress"])", {"zlib", "dec\xd0\xbempress"}, false},
      {R"(["zlib","decompress"])", {"zlib.decompress"}, false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(Allowlist::parse(c.allowlist).allows(c.path), c.allowed)
        << c.allowlist << describe_path(c.path);
  EXPECT_FALSE(Allowlist().allows(Path{"zlib", "decompress"}));
}

TEST(AllowlistTest, RefusesWhatIsNone) {
  for (const char* text :
       {"5", "null", "{}", R"([5])", R"([["a"],5])", R"([["a"],"b"])", R"(["a",["b"]])",
        R"([["a",5]])", "[[]]", R"([["a"],[]])", R"([[["a"]]])"})
    EXPECT_EQ(error_of([&] { Allowlist::parse(text); }).code(), Status::option) << text;
  EXPECT_EQ(error_of([] { Allowlist::parse("[["); }).code(), Status::truncated);
  EXPECT_EQ(error_of([] { Allowlist::parse(std::string(100000, '[')); }).code(), Status::limit);
  EXPECT_EQ(error_of([] { Allowlist::parse(R"([["a"],["b",5]])"); }).path(), "$[1][1]");
}

TEST(AllowlistTest, DescribesAFew) {
  std::string json = "[";
  for (int i = 0; i < 20; ++i) json += (i == 0 ? "[\"f" : ",[\"f") + std::to_string(i) + "\"]";
  const std::string text = Allowlist::parse(json + "]").describe();
  EXPECT_NE(text.find(R"(["f15"] and 4 more)"), std::string::npos) << text;
}

TEST_F(DispatchTest, CallsWhatIsAllowed) {
  const Value args = arguments(1);
  EXPECT_EQ(
      NodeView(call(Allowlist::parse(R"(["zlib","*"])"), {"zlib", "decompress"}, args)).as_int64(),
      40);
  EXPECT_TRUE(denials.empty());
}

TEST_F(DispatchTest, DenialNamesFunctionSpecifiersAndPlace) {
  const Error e = error_of([&] {
    call(Allowlist::parse(R"([["a","b"],["c"]])"), {"zlib", "fail"}, arguments(0));
  });
  EXPECT_EQ(e.code(), Status::denied);
  EXPECT_EQ(e.path(), "$.schema");
  EXPECT_NE(e.message().find(R"(["zlib", "fail"])"), std::string::npos);
  EXPECT_NE(e.message().find(R"(["a", "b"], ["c"])"), std::string::npos);
  EXPECT_EQ(denials,
            std::vector<std::string>{R"(["zlib", "fail"] at $.schema not in ["a", "b"], ["c"])"});
}

TEST_F(DispatchTest, DenialDoesNotTellWhetherTheFunctionExists) {
  const Allowlist none;
  const Error known = error_of([&] { call(none, {"zlib", "fail"}, arguments(0)); });
  const Error unknown = error_of([&] { call(none, {"zlib", "gone"}, arguments(0)); });
  EXPECT_EQ(known.code(), Status::denied);
  EXPECT_EQ(unknown.code(), Status::denied);
  EXPECT_EQ(known.message(), std::regex_replace(unknown.message(), std::regex("gone"), "fail"));
}

TEST_F(DispatchTest, StarAllowsRegisteredFunctionsOnly) {
  const Allowlist all = Allowlist::parse("\"*\"");
  EXPECT_TRUE(NodeView(call(all, {"zlib", "decompress"}, arguments(0))).is_null());
  const Path unknown[] = {
      {"os", "system"}, {"zlib"}, {"zlib", "decompress", "__globals__"}, {"zlibdecompress"}, {}};
  for (const Path& path : unknown)
    EXPECT_EQ(error_of([&] { call(all, path, arguments(0)); }).code(), Status::not_found)
        << describe_path(path);
  EXPECT_TRUE(denials.empty());
}

TEST_F(DispatchTest, HostileNamesCannotForgeText) {
  const Error e = error_of([&] {
    call(Allowlist(), {"a\n\x1b[2J\"", "\xff\xd0\xb5", std::string_view("x\0y", 3)}, arguments(0));
  });
  EXPECT_NE(e.message().find(R"(["a\u000a\u001b[2J\"", "\xff\u0435", "x\u0000y"])"),
            std::string::npos)
      << e.message();
  std::string long_name(10000, 'n');
  EXPECT_LT(describe_path(Path{long_name}).size(), 200u);
  EXPECT_LT(describe_path(Path(1000, "n")).size(), 200u);
}

TEST_F(DispatchTest, CountsArguments) {
  const Allowlist all = Allowlist::parse("\"*\"");
  const Error e = error_of([&] { call(all, {"zlib", "decompress"}, arguments(3)); });
  EXPECT_EQ(e.code(), Status::range);
  EXPECT_NE(e.message().find("takes 0 to 2 arguments, not 3"), std::string::npos) << e.message();
  const Value text = Value::build([](Builder& b) { return b.string_copy("x"); });
  EXPECT_EQ(error_of([&] { call(all, {"zlib", "decompress"}, text); }).code(), Status::type);
  EXPECT_EQ(error_of([&] {
              dispatch(table, all, Path{"zlib", "decompress"}, nullptr, text.root(), {});
            }).code(),
            Status::type);
}

TEST_F(DispatchTest, FailuresKeepTheirDetails) {
  const Allowlist all = Allowlist::parse("\"*\"");
  const Error e = error_of([&] { call(all, {"zlib", "fail"}, arguments(5)); });
  EXPECT_EQ(e.code(), Status::malformed);
  EXPECT_EQ(e.detail(), "zlib.data");
  EXPECT_EQ(e.path(), "$.schema.args[0]");
  EXPECT_EQ(e.offset(), 7u);
  EXPECT_EQ(error_of([&] { call(all, {"nothing"}, arguments(0)); }).code(), Status::plugin);
}

TEST_F(DispatchTest, TableRefusesBrokenAndDuplicateFunctions) {
  FunctionTable::Builder builder;
  builder.add(&first, "one");
  EXPECT_EQ(error_of([&] { builder.add(&first, "two"); }).code(), Status::ambiguous);
  const auto refused = [&](const std::function<void(polycodec_function&)>& change) {
    polycodec_function broken = fails;
    change(broken);
    return error_of([&] { builder.add(&broken, "p"); }).code() == Status::plugin;
  };
  const char* const empty_part[] = {"a", ""};
  EXPECT_TRUE(refused([](auto& f) { f.struct_size = 16; }));
  EXPECT_TRUE(refused([](auto& f) { f.n_path = 0; }));
  EXPECT_TRUE(refused([](auto& f) { f.path = nullptr; }));
  EXPECT_TRUE(refused([&](auto& f) { f.path = empty_part; }));
  EXPECT_TRUE(refused([](auto& f) { f.call = nullptr; }));
  EXPECT_TRUE(refused([](auto& f) { f.min_args = 2, f.max_args = 1; }));
  EXPECT_EQ(error_of([&] { builder.add(nullptr, "p"); }).code(), Status::plugin);
  const FunctionTable frozen = builder.freeze();
  ASSERT_EQ(frozen.functions().size(), 1u);
  EXPECT_EQ(frozen.find(Path{"zlib", "decompress"}), &first);
  EXPECT_EQ(frozen.find(Path{"zlib:decompress"}), nullptr);
}

TEST(FunctionPathTest, FromDocumentAndAbi) {
  const Value value = Value::build([](Builder& b) {
    return b.list({b.string_copy("a"), b.string_copy("b")});
  });
  EXPECT_EQ(function_path(value.view()), (Path{"a", "b"}));
  const polycodec_bytes parts[] = {{"a", 1}, {"bc", 2}};
  EXPECT_EQ(function_path(parts, 2), (Path{"a", "bc"}));
  const Value bad = Value::build([](Builder& b) { return b.list({Builder::integer(1)}); });
  EXPECT_EQ(error_of([&] { function_path(bad.view()); }).code(), Status::type);
}

}  // namespace
}  // namespace polycodec
