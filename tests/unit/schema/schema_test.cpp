// SPDX-License-Identifier: MIT
// Reading, printing, comparing and inferring schemas.
#include "core/schema/schema.hpp"

#include <polycodec/builder.hpp>

#include "rows.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace polycodec::schema {
namespace {

std::string read(std::string_view text, Precision precision = Precision::bytes) {
  try {
    return Schema::parse(text, {}, precision).to_json();
  } catch (const Error& error) {
    return std::string(status_name(error.code())) + " " + error.detail() + " " + error.path();
  }
}

struct Reading {
  const char* text;
  const char* result;  ///< null: the same text
};
void PrintTo(const Reading& row, std::ostream* out) {
  *out << row.text;
}
class Read : public testing::TestWithParam<Reading> {};
TEST_P(Read, PrintsOrFails) {
  EXPECT_EQ(read(GetParam().text),
            GetParam().result == nullptr ? GetParam().text : GetParam().result);
}

// The datatypes of the headers and bodies that real programs wrote are printed as they were.
INSTANTIATE_TEST_SUITE_P(
    Real, Read,
    testing::Values(
        Reading{R"({"type":"integer"})", nullptr},
        Reading{R"({"type":"scalar","subtype":"string"})", nullptr},
        Reading{R"({"type":"ndarray","subtype":"int","precision":8})", nullptr},
        Reading{R"({"type":"ndarray","subtype":"float","precision":8,"shape":[3]})", nullptr},
        Reading{R"({"type":"scalar","subtype":"string","precision":20,"encoding":"UCS4"})",
                nullptr},
        Reading{
            "{\"type\":\"scalar\",\"subtype\":\"float\",\"precision\":8,\"units\":\"\xce\xbcmol\"}",
            nullptr},
        Reading{
            R"({"type":"array","items":[{"type":"integer"},{"type":"string"},{"type":"null"}]})",
            nullptr},
        Reading{
            R"({"type":"array","items":[{"type":"scalar","subtype":"string","title":"name"},{"type":"scalar","subtype":"int","precision":4,"units":"umol","title":"count"},{"type":"scalar","subtype":"float","precision":8,"units":"cm","title":"size"}]})",
            nullptr},
        Reading{
            R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":[{"type":"number"},{"type":"string"}]}}})",
            nullptr},
        Reading{R"({"type":"mine","use_generic":true})", nullptr}, Reading{"{}", nullptr}));

INSTANTIATE_TEST_SUITE_P(
    Order, Read,
    testing::Values(
        Reading{
            R"({"title":"x","shape":[3],"units":"cm","precision":8,"type":"ndarray","subtype":"int"})",
            R"({"type":"ndarray","subtype":"int","precision":8,"units":"cm","shape":[3],"title":"x"})"},
        // Data keep their order: only schemas have one.
        Reading{
            R"({"default":{"units":1,"type":2},"properties":{"units":{"units":"m","type":"scalar"}}})",
            R"({"default":{"units":1,"type":2},"properties":{"units":{"type":"scalar","units":"m"}}})"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, Read,
    testing::Values(
        Reading{"[]", "malformed schema.keyword $"}, Reading{"5", "malformed schema.keyword $"},
        Reading{R"({"type":5})", "malformed schema.keyword $.type"},
        Reading{R"({"type":[]})", "malformed schema.keyword $.type"},
        Reading{R"({"type":"scalar","subtype":"quaternion"})",
                "malformed schema.keyword $.subtype"},
        Reading{R"({"precision":-1})", "malformed schema.keyword $.precision"},
        Reading{R"({"precision":"8"})", "malformed schema.keyword $.precision"},
        Reading{R"({"type":"scalar","subtype":"float","precision":3})",
                "malformed schema.keyword $"},
        Reading{R"({"type":"scalar","subtype":"float","precision":64})",
                "malformed schema.keyword $"},
        Reading{R"({"units":5})", "malformed schema.keyword $.units"},
        Reading{R"({"encoding":"EBCDIC"})", "malformed schema.keyword $.encoding"},
        Reading{R"({"shape":5})", "malformed schema.keyword $.shape"},
        Reading{R"({"shape":[-1]})", "malformed schema.keyword $.shape"},
        Reading{R"({"shape":[1,2],"ndim":3})", "malformed schema.keyword $"},
        Reading{R"({"properties":{"a":{"items":{"type":7}}}})",
                "malformed schema.keyword $.properties.a.items.type"},
        Reading{R"({"properties":{"a":5}})", "malformed schema.keyword $.properties.a"},
        Reading{R"({"properties":[]})", "malformed schema.keyword $.properties"},
        Reading{R"({"required":"x"})", "malformed schema.keyword $.required"},
        Reading{R"({"required":[1]})", "malformed schema.keyword $.required"},
        Reading{R"({"items":5})", "malformed schema.keyword $.items"},
        Reading{R"({"anyOf":[]})", "malformed schema.keyword $.anyOf"},
        Reading{R"({"anyOf":{}})", "malformed schema.keyword $.anyOf"},
        Reading{R"({"not":[]})", "malformed schema.keyword $.not"},
        Reading{R"({"enum":5})", "malformed schema.keyword $.enum"},
        Reading{R"({"minimum":"5"})", "malformed schema.keyword $.minimum"},
        Reading{R"({"exclusiveMinimum":5})", "malformed schema.keyword $.exclusiveMinimum"},
        Reading{R"({"multipleOf":0})", "malformed schema.keyword $.multipleOf"},
        Reading{R"({"minLength":1.5})", "malformed schema.keyword $.minLength"},
        Reading{R"({"minLength":2.0})", nullptr},
        Reading{R"({"pattern":"("})", "malformed schema.pattern $.pattern"},
        Reading{R"x({"pattern":"(?=a)"})x", "malformed schema.pattern $.pattern"},
        Reading{R"({"pattern":"(a)\\1"})", "malformed schema.pattern $.pattern"},
        Reading{R"({"pattern":"((a{100}){100}){100}"})", "malformed schema.pattern $.pattern"},
        Reading{R"({"properties":{"x":{"aliases":["y"]},"y":{}}})", "malformed schema.keyword $"},
        Reading{R"({"properties":{"x":{"aliases":["z"]},"y":{"aliases":["z"]}}})",
                "malformed schema.keyword $"},
        Reading{R"({"type":"integer","type":"string"})", "malformed json.duplicate_key $.type"},
        Reading{R"({"type":)", "truncated json.syntax "}));

INSTANTIATE_TEST_SUITE_P(
    References, Read,
    testing::Values(
        Reading{R"({"$ref":"http://example.org/schema"})", "malformed schema.reference $"},
        Reading{R"({"$ref":"other.json#/a"})", "malformed schema.reference $"},
        Reading{R"({"$ref":"#/definitions/none"})", "malformed schema.reference $"},
        Reading{R"({"$ref":"#x"})", "malformed schema.reference $"},
        Reading{R"({"a":5,"$ref":"#/a"})", "malformed schema.reference $"},
        Reading{R"({"$ref":"#"})", "malformed schema.reference $"},
        Reading{R"({"properties":{"x":{"$ref":"#"}}})", nullptr},
        Reading{R"({"anyOf":[{"$ref":"#"}]})", "malformed schema.reference $.anyOf[0]"},
        Reading{R"({"not":{"$ref":"#"}})", "malformed schema.reference $.not"},
        Reading{R"({"dependencies":{"a":{"$ref":"#"}}})",
                "malformed schema.reference $.dependencies.a"},
        Reading{
            R"({"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}})",
            "malformed schema.reference $.definitions.a"},
        Reading{
            R"({"definitions":{"a b":{},"c/d":{},"e~f":{}},"allOf":[{"$ref":"#/definitions/a%20b"},{"$ref":"#/definitions/c~1d"},{"$ref":"#/definitions/e~0f"}]})",
            nullptr},
        Reading{R"({"properties":{"$ref":{"type":"integer"}}})", nullptr}));

// Neither an id nor a reference makes anything be opened: not a file that is there, nor an address
// where somebody listens.
TEST(References, OpenNeitherFilesNorAddresses) {
  namespace fs = std::filesystem;
  std::string directory = (fs::temp_directory_path() / "polycodec-XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  // A pipe that nobody writes to: whoever opens it waits for ever.
  const std::string pipe = directory + "/schema.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 4), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string host = "//127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  for (const std::string& target :
       {pipe, "file://" + pipe, "file://" + pipe + "#/a", "http:" + host + "schema.json",
        "https:" + host + "#", host, std::string("schema.json"), std::string("../schema.json")}) {
    const std::string reference = R"({"$ref":")" + target + R"("})";
    EXPECT_EQ(read(reference), "malformed schema.reference $") << target;
    for (const std::string& id :
         {"file://" + directory + "/", "http:" + host, "file://" + pipe, std::string("../..//")}) {
      const std::string schema = R"({"id":")" + id + R"(","allOf":[)" + reference + "]}";
      EXPECT_EQ(read(schema), "malformed schema.reference $.allOf[0]") << schema;
    }
  }
  EXPECT_EQ(::accept(listener, nullptr, nullptr), -1);
  EXPECT_EQ(errno, EAGAIN);
  ::close(listener);
  fs::remove_all(directory);
}

TEST(References, ToTwoSchemasOfOneIdAreRefused) {
  const std::string definitions = R"("definitions":{"a":{"id":"x"},"b":{"id":"x"}})";
  const std::string unused = "{" + definitions + "}";
  EXPECT_EQ(read(unused), unused);
  const std::string used = "{" + definitions + R"(,"allOf":[{"$ref":"x"}]})";
  EXPECT_EQ(read(used), "malformed schema.reference $.allOf[0]");
}

TEST(References, AddressesAreBounded) {
  std::string schema = R"({"id":"http://x/)" + std::string(1900, 'a') + R"(/","definitions":{)";
  for (int i = 0; i < 5000; ++i)
    schema +=
        (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"id":")" + std::to_string(i) + "\"}";
  schema += "}}";
  EXPECT_EQ(read(schema).substr(0, 22), "limit schema.reference");
}

TEST(Schema, SaysWhereTheJsonIsWrong) {
  try {
    Schema::parse("{\"type\": 'x'}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.offset(), 9u);
  }
}

TEST(Schema, PrintsInTheOrderAndLettersOfPython) {
  const Schema schema = Schema::parse(
      "{\"type\":\"ndarray\",\"subtype\":\"int\",\"precision\":4,\"units\":\"\xce\xbcmol\","
      "\"shape\":[3]}");
  PrintOptions options;
  options.python_order = options.ascii = true;
  EXPECT_EQ(schema.to_json(options),
            R"({"type":"ndarray","subtype":"int","precision":4,"shape":[3],"units":"\u03BCmol"})");
  EXPECT_EQ(Schema::parse("{\"title\":\"\xf0\x9f\x98\x80\"}").to_json(options),
            R"({"title":"\uD83D\uDE00"})");
}

TEST(Schema, CountsPrecisionInBitsWhereItIsAskedTo) {
  const Schema schema = Schema::parse(
      R"({"type":"array","items":[{"type":"scalar","subtype":"float","precision":64,"default":{"precision":64}}]})",
      {}, Precision::bits);
  EXPECT_EQ(
      schema.to_json(),
      R"({"type":"array","items":[{"type":"scalar","subtype":"float","precision":8,"default":{"precision":64}}]})");
  PrintOptions options;
  options.precision = Precision::bits;
  EXPECT_EQ(
      schema.to_json(options),
      R"({"type":"array","items":[{"type":"scalar","subtype":"float","precision":64,"default":{"precision":64}}]})");
  EXPECT_EQ(read(R"({"precision":12})", Precision::bits), "malformed schema.keyword $.precision");
}

std::string difference(std::string_view a, std::string_view b) {
  const auto found = first_difference(Schema::parse(a), Schema::parse(b));
  return found ? found->path : "same";
}

TEST(Compare, IsExact) {
  EXPECT_EQ(difference(R"({"precision":4})", R"({"precision":8})"), "$.precision");
  EXPECT_EQ(difference(R"({"units":"cm"})", R"({"units":"m"})"), "$.units");
  EXPECT_EQ(difference(R"({"units":"meters"})", R"({"units":"m"})"), "same");
  EXPECT_EQ(difference(R"({"type":"scalar"})", R"({"type":"ndarray"})"), "$.type");
  EXPECT_EQ(difference(R"({"type":"int","precision":4})",
                       R"({"type":"scalar","subtype":"int","precision":4})"),
            "same");
  EXPECT_EQ(difference(R"({"type":"int"})", R"({"type":"scalar","subtype":"uint"})"), "$.subtype");
  EXPECT_EQ(difference(R"({"type":["string","null"]})", R"({"type":["null","string"]})"), "same");
  EXPECT_EQ(difference(R"({"properties":{"a":{"type":"null"}}})",
                       R"({"properties":{"a":{"type":"string"}}})"),
            "$.properties.a.type");
  EXPECT_EQ(difference(R"({"properties":{"a":{}}})", R"({"properties":{"a":{},"b":{}}})"),
            "$.properties.b");
  EXPECT_EQ(difference(R"({"items":[{},{}]})", R"({"items":[{}]})"), "$.items");
  EXPECT_EQ(difference(R"({"items":{"shape":[3]}})", R"({"items":{"shape":[4]}})"),
            "$.items.shape");
  EXPECT_EQ(difference(R"({"minimum":3})", "{}"), "$.minimum");
  EXPECT_EQ(difference("{}", R"({"minimum":3})"), "$.minimum");
  EXPECT_EQ(difference(R"({"minimum":3})", R"({"minimum":3.0})"), "same");
  EXPECT_EQ(
      difference(R"({"required":["a","b"],"title":"x"})", R"({"required":["b","a"],"title":"y"})"),
      "same");
  EXPECT_EQ(difference(R"({"required":["a"]})", R"({"required":["b"]})"), "$.required");
}

struct Inferring {
  const char* type;
  const char* value;
  const char* full;
  const char* minimal;  ///< null: as full
};
void PrintTo(const Inferring& row, std::ostream* out) {
  *out << row.type;
}
class Inferred : public testing::TestWithParam<Inferring> {};
TEST_P(Inferred, DescribesTheValue) {
  const Inferring& row = GetParam();
  const Value value = value_of(row.type, row.value);
  InferOptions options;
  EXPECT_EQ(infer(value.view(), options).to_json(), row.full);
  EXPECT_EQ(problems(row.full, value), "");
  options.minimal = true;
  const char* minimal = row.minimal == nullptr ? row.full : row.minimal;
  EXPECT_EQ(infer(value.view(), options).to_json(), minimal);
  EXPECT_EQ(problems(minimal, value), "");
}
INSTANTIATE_TEST_SUITE_P(
    Rows, Inferred,
    testing::Values(
        Inferring{"null", "null", R"({"type":"null"})", nullptr},
        Inferring{"bool", "true", R"({"type":"boolean"})", nullptr},
        Inferring{"int64", "5", R"({"type":"integer"})", nullptr},
        Inferring{"float64", "5.0", R"({"type":"number"})", nullptr},
        Inferring{"string", R"("x")", R"({"type":"string"})", nullptr},
        Inferring{"int8", "5", R"({"type":"scalar","subtype":"int","precision":1})", nullptr},
        Inferring{"annotated[float64, type='scalar']", "5.0",
                  R"({"type":"scalar","subtype":"float","precision":8})", nullptr},
        Inferring{"annotated[float64, units='cm']", "5.0",
                  R"({"type":"scalar","subtype":"float","precision":8,"units":"cm"})", nullptr},
        Inferring{"complex[float32]", R"({"$complex":[1.0,2.0]})",
                  R"({"type":"scalar","subtype":"complex","precision":8})", nullptr},
        Inferring{"bytes", R"({"$bytes":"aGVsbG8="})",
                  R"({"type":"scalar","subtype":"string","precision":5})",
                  R"({"type":"scalar","subtype":"string"})"},
        Inferring{"annotated[string, encoding='UCS4']", R"("hello")",
                  R"({"type":"scalar","subtype":"string","precision":20,"encoding":"UCS4"})",
                  R"({"type":"scalar","subtype":"string","encoding":"UCS4"})"},
        Inferring{"2 * 3 * float64", "[[1.0,2.0,3.0],[4.0,5.0,6.0]]",
                  R"({"type":"ndarray","subtype":"float","precision":8,"shape":[2,3]})",
                  R"({"type":"ndarray","subtype":"float","precision":8})"},
        Inferring{
            "annotated[2 * int16, units='m', title='x']", "[1,2]",
            R"({"type":"ndarray","subtype":"int","precision":2,"units":"m","shape":[2],"title":"x"})",
            R"({"type":"ndarray","subtype":"int","precision":2,"units":"m","title":"x"})"},
        Inferring{"annotated[2 * int16, type='1darray']", "[1,2]",
                  R"({"type":"1darray","subtype":"int","precision":2,"shape":[2]})",
                  R"({"type":"1darray","subtype":"int","precision":2})"},
        Inferring{
            "2 * fixed_string[3, 'utf32']", R"(["a","bcd"])",
            R"({"type":"ndarray","subtype":"string","precision":12,"shape":[2],"encoding":"UCS4"})",
            R"({"type":"ndarray","subtype":"string","encoding":"UCS4"})"},
        Inferring{
            "(int64, string, null)", R"({"$tuple":[1,"a",null]})",
            R"({"type":"array","items":[{"type":"integer"},{"type":"string"},{"type":"null"}]})",
            nullptr},
        Inferring{
            "{a: int64, b: (float64, string)}", R"({"a":1,"b":{"$tuple":[1.5,"x"]}})",
            R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":[{"type":"number"},{"type":"string"}]}}})",
            nullptr},
        Inferring{
            "2 * {x: float64, n: int32}", R"([{"x":1.0,"n":1},{"x":2.0,"n":2}])",
            R"({"type":"array","items":[{"type":"ndarray","subtype":"float","precision":8,"shape":[2],"title":"x"},{"type":"ndarray","subtype":"int","precision":4,"shape":[2],"title":"n"}]})",
            R"({"type":"array","items":[{"type":"ndarray","subtype":"float","precision":8,"title":"x"},{"type":"ndarray","subtype":"int","precision":4,"title":"n"}]})"},
        Inferring{"2 * string", R"(["a","b"])", R"({"type":"array","items":{"type":"string"}})",
                  nullptr},
        Inferring{"2 * ?string", R"(["a",null])",
                  R"({"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}})",
                  nullptr},
        Inferring{"0 * any", "[]", R"({"type":"array","items":[]})", nullptr},
        Inferring{"{}", "{}", R"({"type":"object","properties":{}})", nullptr},
        Inferring{"extension['yggdrasil.class', string]", R"({"$ext":["yggdrasil.class","m:C"]})",
                  R"({"type":"class"})", nullptr},
        Inferring{"annotated[{a: int64}, type='ply']", R"({"a":1})", R"({"type":"ply"})", nullptr},
        Inferring{"datetime[unit='s']", R"({"$datetime":"2020-01-01T00:00:00Z"})", "{}", nullptr}));

TEST(Infer, JoinsTheItemsOfLongLists) {
  const auto list = [](bool mixed) {
    return Value::build([&](Builder& out) {
      polycodec_node* nodes = nullptr;
      const auto made = out.list(1000, &nodes);
      for (int i = 0; i < 1000; ++i)
        nodes[i] = mixed && i % 2 == 1 ? Builder::boolean(true) : Builder::integer(i);
      return made;
    });
  };
  EXPECT_EQ(infer(list(false).view()).to_json(), R"({"type":"array","items":{"type":"integer"}})");
  EXPECT_EQ(infer(list(true).view()).to_json(),
            R"({"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}})");
}

TEST(Infer, KeepsAnUnknownType) {
  const Value value = Value::build([](Builder& out) {
    return out.extension("yggdrasil.other",
                         out.object({{"schema", out.string_copy(R"({"type":"mine","x":1})")},
                                     {"data", Builder::bytes_view({})}}));
  });
  EXPECT_EQ(infer(value.view()).to_json(), R"({"type":"mine"})");
  EXPECT_EQ(problems(R"({"type":"mine"})", value), "");
  EXPECT_EQ(problems(R"({"type":"yours"})", value), "type $");
}

// -- hostile schemas --

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(HostileSchema, ThatIsDeepIsRefused) {
  for (const char* part :
       {R"({"items":)", R"({"not":)", R"({"properties":{"a":)", R"({"anyOf":[)"}) {
    const std::string text = repeated(part, 100000);
    EXPECT_THROW(Schema::parse(text), Error) << part;
  }
  const std::string closed = repeated(R"({"items":)", 600) + "{}" + repeated("}", 600);
  EXPECT_EQ(read(closed).substr(0, 5), "limit");
}

TEST(HostileSchema, ChainsOfReferencesCostNoStack) {
  std::string text = R"({"$ref":"#/definitions/0","definitions":{)";
  for (int i = 0; i < 20000; ++i)
    text +=
        "\"" + std::to_string(i) + "\":{\"$ref\":\"#/definitions/" + std::to_string(i + 1) + "\"},";
  text += R"("20000":{"type":"integer"}}})";
  const Schema schema = Schema::parse(text);
  EXPECT_FALSE(first_problem(schema, value_of("int64", "5").view()));
  EXPECT_TRUE(first_problem(schema, value_of("string", R"("x")").view()));
}

TEST(HostileSchema, ChainsOfAllOfEndAtTheDepthLimit) {
  std::string text = R"({"$ref":"#/definitions/0","definitions":{)";
  for (int i = 0; i < 5000; ++i)
    text += "\"" + std::to_string(i) + "\":{\"allOf\":[{\"$ref\":\"#/definitions/" +
            std::to_string(i + 1) + "\"}]},";
  text += R"("5000":{"type":"integer"}}})";
  const Schema schema = Schema::parse(text);
  EXPECT_THROW((void)first_problem(schema, value_of("int64", "5").view()), Error);
  EXPECT_THROW((void)normalize(schema, value_of("int64", "5")), Error);
}

TEST(HostileSchema, ThatDoublesItsWorkEndsAtTheStepLimit) {
  std::string text = R"({"$ref":"#/definitions/0","definitions":{)";
  for (int i = 0; i < 60; ++i) {
    const std::string next = "{\"$ref\":\"#/definitions/" + std::to_string(i + 1) + "\"}";
    text += "\"" + std::to_string(i) + "\":{\"anyOf\":[" + next + "," + next + "]},";
  }
  text += R"("60":{"type":"integer"}}})";
  const Schema schema = Schema::parse(text);
  const Value value = value_of("string", R"("x")");
  try {
    (void)first_problem(schema, value.view());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "limit.max_work");
  }
  EXPECT_THROW((void)normalize(schema, value_of("string", R"("x")")), Error);
}

TEST(HostileSchema, ManyPatternsAreTooMany) {
  std::string text = R"({"patternProperties":{)";
  for (int i = 0; i < 3000; ++i) text += "\"" + std::to_string(i) + "[a-z]{900}\":{},";
  text += R"("x":{}}})";
  EXPECT_EQ(read(text).substr(0, 20), "limit schema.pattern");
}

TEST(HostileSchema, PatternsDoNotBlowUp) {
  const Schema schema = Schema::parse(R"({"pattern":"^(a+)+$"})");
  const Value value =
      Value::build([](Builder& out) { return out.string_copy(std::string(100000, 'a') + "b"); });
  EXPECT_EQ(first_problem(schema, value.view())->keyword, "pattern");
}

TEST(HostileSchema, WithManyPartsIsRefused) {
  Limits limits;
  limits.max_nodes = 1000;
  EXPECT_THROW(Schema::parse(R"({"allOf":[)" + repeated("{},", 2000) + "{}]}", limits), Error);
}

}  // namespace
}  // namespace polycodec::schema
