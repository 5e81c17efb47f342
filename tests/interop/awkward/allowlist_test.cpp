// SPDX-License-Identifier: MIT
// What an allowlist lets a file call, and that nothing lets it call anything else.

#include "read_support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

/// A schema whose root calls `spec`, with one array as the argument.
std::string calling(const std::string& spec, const std::string& args) {
  return R"({"call": )" + spec + R"(, "args": [)" + args + "]}";
}

std::string outcome(const std::string& allowlist, const std::string& spec,
                    const std::string& args) {
  const auto e = refusal_of([&] {
    return read_schema(calling(spec, args), {{"x", bytes_of<std::int64_t>({1, 2})}}, "{}",
                       {.allowlist = allowlist});
  });
  return e ? e->detail() : "called";
}

const std::string bytes = R"({"read": "x"}, {"dtype": "int64"}, {"json": 2})";
const std::string counts = R"({"json": [1, 1]}, {"json": [5, 6]})";
const std::string frombuffer = R"(["numpy", "frombuffer"])";
const std::string fromcounts = R"(["awkward0", "JaggedArray", "fromcounts"])";

struct Case {
  const char* what;
  std::string allowlist, spec, args, expected;
};

const Case cases[] = {
    {"exact", R"([["numpy", "frombuffer"]])", frombuffer, bytes, "called"},
    {"exact, another", R"([["numpy", "array"]])", frombuffer, bytes, "function.denied"},
    {"second of two", R"([["a", "b"], ["numpy", "frombuffer"]])", frombuffer, bytes, "called"},
    {"wildcard", R"([["num*", "from*"]])", frombuffer, bytes, "called"},
    {"wildcard, one character", R"([["nump?", "frombuffe[a-z]"]])", frombuffer, bytes, "called"},
    {"wildcard, negated set", R"([["nump[!y]", "frombuffer"]])", frombuffer, bytes,
     "function.denied"},
    {"wildcard in the middle part", R"([["awkward0", "*Array", "fromcounts"]])", fromcounts, counts,
     "called"},
    {"case counts", R"([["Numpy", "frombuffer"]])", frombuffer, bytes, "function.denied"},
    {"promotion of one specifier", R"(["numpy", "frombuffer"])", frombuffer, bytes, "called"},
    {"promotion of a text: one part", R"("numpy")", frombuffer, bytes, "function.denied"},
    {"promotion of a pattern: one part", R"("n*")", frombuffer, bytes, "function.denied"},
    {"everything that is registered", R"("*")", frombuffer, bytes, "called"},
    {"everything that is registered, as a list", R"(["*"])", fromcounts, counts, "called"},
    {"everything of two parts", R"(["*", "*"])", frombuffer, bytes, "called"},
    {"everything of two parts, a name of three", R"(["*", "*"])", fromcounts, counts,
     "function.denied"},
    {"shorter than the name", R"([["awkward0"]])", fromcounts, counts, "function.denied"},
    {"shorter than the name by one", R"([["awkward0", "JaggedArray"]])", fromcounts, counts,
     "function.denied"},
    {"longer than the name", R"([["numpy", "frombuffer", "*"]])", frombuffer, bytes,
     "function.denied"},
    {"empty list", "[]", frombuffer, bytes, "function.denied"},
    {"the default of the first library", R"([["awkward0", "*Array"]])", fromcounts, counts,
     "function.denied"},
    {"attribute walk", R"("*")",
     R"(["awkward0", "JaggedArray", "fromcounts", "__func__", "__globals__", "get"])", counts,
     "function.unknown"},
    {"attribute walk under a prefix", R"([["awkward0", "*Array"]])",
     R"(["awkward0", "JaggedArray", "fromcounts", "__func__", "__globals__", "get"])", counts,
     "function.denied"},
    {"pickle", R"("*")", R"(["awkward0.persist", "topython"])", R"({"json": "gARLKi4="})",
     "function.unknown"},
    {"writing files", R"("*")", R"(["awkward0.persist", "save"])", counts, "function.unknown"},
    {"reading files", R"("*")", R"(["awkward0.arrow", "_ParquetFile", "fromjson"])",
     R"({"json": {"file": "/etc/passwd"}})", "function.unknown"},
    {"the machine", R"("*")", R"(["os", "system"])", R"({"json": "true"})", "function.unknown"},
    {"evaluation", R"("*")", R"(["builtins", "eval"])", R"({"json": "1"})", "function.unknown"},
    {"a module alone", R"("*")", R"(["numpy"])", counts, "function.name"},
    {"look-alike letter", R"([["numpy", "frombuffer"]])", R"(["n\u0443mpy", "frombuffer"])", bytes,
     "function.denied"},
    {"look-alike letter, all allowed", R"("*")", R"(["num\u0440y", "frombuffer"])", bytes,
     "function.unknown"},
    {"full-width letters", R"("*")", R"(["\uff4eumpy", "frombuffer"])", bytes, "function.unknown"},
    {"NUL behind the name", R"([["numpy", "frombuffer"]])", R"(["numpy", "frombuffer\u0000x"])",
     bytes, "function.denied"},
    {"NUL behind the name, all allowed", R"("*")", R"(["numpy", "frombuffer\u0000"])", bytes,
     "function.unknown"},
    {"dots are no parts", R"("*")", R"(["numpy.frombuffer", ""])", bytes, "function.unknown"},
    {"dots in a pattern", R"([["awkward0.*", "json2type"]])",
     R"(["awkward0.persist", "json2type"])", R"({"json": {}})", "called"},
    {"parts that join to the name", R"("*")", R"(["nump", "yfrombuffer"])", bytes,
     "function.unknown"},
    {"a name that looks like two parts", R"("*")", R"(["numpy\", \"frombuffer", "x"])", bytes,
     "function.unknown"},
};

TEST(AwkwardAllowlist, Table) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(c.expected, outcome(c.allowlist, c.spec, c.args));
  }
}

// A function as a value is only a name: what calls it asks the allowlist as well.
TEST(AwkwardAllowlist, GeneratorsAreAskedForToo) {
  const std::string virtual_array =
      R"({"call": ["awkward0", "VirtualArray"], "args": [{"function": )";
  const auto run = [&](const std::string& name, const CallOptions& call) {
    return refusal_of([&] {
      return read_schema(
          virtual_array + name + R"(}, {"tuple": [{"json": "true"}]}], "cacheable": true})", {},
          "{}", call);
    });
  };
  const auto denied = run(R"(["os", "system"])", {});
  ASSERT_TRUE(denied);
  EXPECT_EQ("function.denied", denied->detail());
  const auto unknown = run(R"(["os", "system"])", {.allowlist = R"("*")"});
  ASSERT_TRUE(unknown);
  EXPECT_EQ("function.unknown", unknown->detail());
  // As the generator of objects it is data.
  const Value objects = read_schema(
      R"({"call": ["awkward0", "ObjectArray"], "args": [{"json": [1, 2]}, {"function": ["os", "system"]}, {"tuple": []}, {"dict": {}}]})");
  EXPECT_EQ(2u, objects.view().size());
  EXPECT_NE(nullptr, objects.view().metadata());
}

TEST(AwkwardAllowlist, DenialsSayWhatWhereAndWhatWasTried) {
  const auto e = refusal_of([&] {
    return read_schema(R"({"list": [{"call": ["os", "system"], "args": [{"json": "true"}]}]})");
  });
  ASSERT_TRUE(e);
  EXPECT_EQ(Status::denied, e->code());
  EXPECT_EQ("$.schema.list[0]", e->path());
  EXPECT_NE(std::string::npos, e->message().find(R"(["os", "system"])"));
}

}  // namespace
}  // namespace polycodec::test
