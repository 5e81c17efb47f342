// SPDX-License-Identifier: MIT
// A database engine answers SQL on values that polycodec hands it through Arrow's C stream
// interface, and polycodec takes its answers. Only the engine's shared library is needed; the few
// functions of its C interface are declared here.
#include <polycodec/view.hpp>

#include "core/arrow/arrow.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// `duckdb_result`, whose members are not for users.
struct QueryResult {
  std::uint64_t counts[3];
  void* columns;
  char* error;
  void* internal;
};
using Handle = void*;

class Engine {
 public:
  Engine() : library_(dlopen(POLYCODEC_DUCKDB, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    function<int(const char*, Handle*)>("duckdb_open")(nullptr, &database_);
    function<int(Handle, Handle*)>("duckdb_connect")(database_, &connection_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    function<void(Handle*)>("duckdb_disconnect")(&connection_);
    function<void(Handle*)>("duckdb_close")(&database_);
  }

  /// Copies a part of a value into a table, all columns at once: the engine's C interface hands a
  /// stream all columns, also where a query wants some of them.
  void scan(const std::string& table, const std::shared_ptr<const Value>& value, NodeView what) {
    export_arrow_stream(value, what, streams_.emplace_back(),
                        {.limits = {}, .sparse_unions = true});
    const std::string view = table + std::to_string(streams_.size());
    ASSERT_EQ(function<int(Handle, const char*, Handle)>("duckdb_arrow_scan")(
                  connection_, view.c_str(), &streams_.back()),
              0);
    const std::string made =
        query("CREATE OR REPLACE TABLE " + table + " AS SELECT * FROM " + view);
    ASSERT_FALSE(made.starts_with("error")) << made;
  }

  /// The answer as text: rows end with a line end, columns are separated by a blank.
  std::string query(const std::string& sql) {
    QueryResult result{};
    if (function<int(Handle, const char*, QueryResult*)>("duckdb_query")(connection_, sql.c_str(),
                                                                         &result) != 0) {
      const char* error = function<const char*(QueryResult*)>("duckdb_result_error")(&result);
      return std::string("error: ") + (error == nullptr ? "?" : error);
    }
    std::string text;
    const auto columns = function<std::uint64_t(QueryResult*)>("duckdb_column_count")(&result);
    const auto rows = function<std::uint64_t(QueryResult*)>("duckdb_row_count")(&result);
    const auto at =
        function<char*(QueryResult*, std::uint64_t, std::uint64_t)>("duckdb_value_varchar");
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t column = 0; column < columns; ++column) {
        char* cell = at(&result, column, row);
        text += (column == 0 ? "" : " ") + std::string(cell == nullptr ? "NULL" : cell);
        function<void(void*)>("duckdb_free")(cell);
      }
      text += "\n";
    }
    function<void(QueryResult*)>("duckdb_destroy_result")(&result);
    return text;
  }

  /// The answer as a value, through Arrow.
  Value answer(const std::string& sql) {
    Handle result = nullptr;
    if (function<int(Handle, const char*, Handle*)>("duckdb_query_arrow")(connection_, sql.c_str(),
                                                                          &result) != 0)
      throw std::runtime_error(function<const char*(Handle)>("duckdb_query_arrow_error")(result));
    ArrowSchema schema{};
    ArrowArray array{};
    Handle out = &schema;
    function<int(Handle, Handle*)>("duckdb_query_arrow_schema")(result, &out);
    out = &array;
    function<int(Handle, Handle*)>("duckdb_query_arrow_array")(result, &out);
    Value value = import_arrow(schema, array);
    function<void(Handle*)>("duckdb_destroy_arrow")(&result);
    return value;
  }

 private:
  template <class Signature>
  Signature* function(const char* name) {
    void* symbol = dlsym(library_, name);
    if (symbol == nullptr) throw std::runtime_error(std::string("no function ") + name);
    return reinterpret_cast<Signature*>(symbol);
  }

  void* library_;  // never unloaded: the engine has threads
  Handle database_ = nullptr;
  Handle connection_ = nullptr;
  std::list<ArrowArrayStream> streams_;
};

std::shared_ptr<const Value> shared(Value value) {
  return std::make_shared<Value>(std::move(value));
}

std::string plain(const Value& value) {
  return to_text(value.view(), {.plain = true});
}

const std::string events =
    R"({"type": "3 * {name: string, hits: var * float64, good: ?bool, code: union[int64, string], )"
    R"(when: datetime[unit='us'], tags: var * ?string}", "value": [)"
    R"({"name": "first", "hits": [1.5, 2.5], "good": true, "code": {"$union": [0, 7]},)"
    R"( "when": {"$datetime": "2020-01-02T03:04:05.25Z"}, "tags": ["a", null]},)"
    R"({"name": "zweiter ä", "hits": [], "good": null, "code": {"$union": [1, "x"]},)"
    R"( "when": {"$datetime": "1969-12-31T23:59:59Z"}, "tags": []},)"
    R"({"name": "", "hits": [-4.0], "good": false, "code": {"$union": [0, -1]},)"
    R"( "when": {"$datetime": "2021-01-01T00:00:00Z"}, "tags": ["b"]}]})";

TEST(DuckDB, AnswersOnJaggedRecordsOptionsUnionsAndTexts) {
  Engine engine;
  const auto value = shared(parse_text(events));
  engine.scan("events", value, value->view());
  EXPECT_EQ(engine.query("SELECT name, len(hits), list_sum(hits) FROM events ORDER BY name"),
            " 1 -4.0\nfirst 2 4.0\nzweiter ä 0 NULL\n");
  EXPECT_EQ(engine.query("SELECT count(*), count(good), sum(good::int) FROM events"), "3 2 1\n");
  EXPECT_EQ(engine.query("SELECT union_tag(code)::varchar, code::varchar FROM events"),
            "0 7\n1 x\n0 -1\n");
  EXPECT_EQ(engine.query("SELECT max(\"when\")::varchar, min(\"when\")::varchar FROM events"),
            "2021-01-01 00:00:00 1969-12-31 23:59:59\n");
  EXPECT_EQ(engine.query(
                "SELECT sum(len(tags)), sum(len(list_filter(tags, t -> t IS NULL))) FROM events"),
            "3 1\n");
}

TEST(DuckDB, AnswersOnAMeshAsItLiesInTheFile) {
  const auto mesh = shared(Registry::open().decode(
      Source::file(std::string(POLYCODEC_TEST_VECTORS) + "/ply/own_random_2000_le.ply")));
  // What the engine has to find, counted item by item.
  const View vertices(mesh->view().at("vertex")), faces(mesh->view().at("face"));
  double x = 0;
  for (std::uint64_t i = 0; i < vertices.size(); ++i)
    x = std::max(x, vertices.child(i).find("x")->as_double());
  std::uint64_t corners = 0;
  std::int64_t greatest = 0;
  for (std::uint64_t i = 0; i < faces.size(); ++i) {
    const View corner = *faces.child(i).find("vertex_indices");
    corners += corner.size();
    for (std::uint64_t k = 0; k < corner.size(); ++k)
      greatest = std::max(greatest, corner.child(k).as_int64());
  }
  ASSERT_GT(corners, 2000u);
  Engine engine;
  engine.scan("vertex", mesh, mesh->view().at("vertex"));
  EXPECT_EQ(engine.query("SELECT count(*), max(x) = " + std::to_string(x) + "::float FROM vertex"),
            "2000 true\n");
  engine.scan("face", mesh, mesh->view().at("face"));
  EXPECT_EQ(
      engine.query(
          "SELECT count(*), sum(len(vertex_indices)), max(list_max(vertex_indices)) FROM face"),
      "2000 " + std::to_string(corners) + " " + std::to_string(greatest) + "\n");
}

TEST(DuckDB, ItsAnswersAreTakenBack) {
  Engine engine;
  const auto value = shared(parse_text(events));
  engine.scan("events", value, value->view());
  EXPECT_EQ(
      plain(engine.answer("SELECT name, hits, good FROM events ORDER BY name DESC")),
      R"([{"name": "zweiter ä", "hits": [], "good": null}, {"name": "first", "hits": [1.5, 2.5], "good": true}, )"
      R"({"name": "", "hits": [-4.0], "good": false}])");
  EXPECT_EQ(plain(engine.answer("SELECT {'a': 1::int, 'b': [NULL, 'x']} AS s, 3::utinyint AS n")),
            R"([{"s": {"a": 1, "b": [null, "x"]}, "n": 3}])");
  EXPECT_EQ(plain(engine.answer("SELECT DATE '2020-02-29' AS d, 'p'::ENUM('o', 'p') AS e")),
            R"([{"d": {"$datetime": "2020-02-29"}, "e": "p"}])");
  // Round trip of everything that the engine keeps as it is.
  const auto all = shared(engine.answer("SELECT name, hits, good, tags FROM events"));
  engine.scan("again", all, all->view());
  EXPECT_TRUE(equal(all->view(), engine.answer("SELECT * FROM again").view()));
}

}  // namespace
}  // namespace polycodec
