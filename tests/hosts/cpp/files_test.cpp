// SPDX-License-Identifier: MIT
// Streams, collections, stores, messages and schemas through polycodec.hpp.
#include "host.hpp"

#include <unistd.h>

#include <filesystem>
#include <vector>

namespace polycodec::test {
namespace {

std::string two_values() {
  return msgpack().encode(Value::parse("[1]")) + msgpack().encode(Value::parse("[2]"));
}

TEST(Stream, ReadsOneAfterAnother) {
  const std::string bytes = two_values();
  Stream stream(msgpack(), Source::view(bytes));
  std::vector<int> seen;
  for (const Value& value : stream) seen.push_back(value.numbers<int>().at(0));
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
  EXPECT_EQ(stream.position(), bytes.size());

  Stream fed = Stream::fed(msgpack());
  EXPECT_FALSE(fed.next());
  fed.feed(bytes.substr(0, 3));
  EXPECT_EQ(fed.next().value().numbers<int>(), std::vector<int>{1});
  EXPECT_FALSE(fed.next());
  fed.end_of_input();
  EXPECT_EQ(error_of([&] { (void)fed.next(); }).code(), Status::truncated);

  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  Stream piped = Stream::descriptor(msgpack(), ends[0]);
  EXPECT_TRUE(piped.next());
  Stream moved = std::move(piped);
  EXPECT_EQ(moved.next().value().numbers<int>(), std::vector<int>{2});
  ::close(ends[1]);
  EXPECT_FALSE(moved.next());
  ::close(ends[0]);
}

TEST(Stream, KeepsItsOptions) {
  Stream stream = [] {
    CallOptions options;
    options.limits.max_nodes = 2;
    return Stream(msgpack(), Source::owned(two_values() + "\x93\x01\x02\x03"), options);
  }();
  EXPECT_TRUE(stream.next());
  EXPECT_TRUE(stream.next());
  EXPECT_EQ(error_of([&] { (void)stream.next(); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { (void)stream.next(); }).code(), Status::invalid);
}

TEST(StreamWriter, WritesToSinksAndFiles) {
  Sink out;
  StreamWriter to_sink(msgpack());
  to_sink.append(Value::parse("[1]"), out);
  to_sink.append(Value::parse("[2]"), out);
  to_sink.finish(out);
  EXPECT_EQ(out.bytes(), two_values());

  StreamWriter to_file(msgpack(), file("stream.msgpack"));
  to_file.append(Value::parse("[1]"));
  to_file.append(Value::parse("[2]"));
  to_file.finish();
  EXPECT_EQ(Source::file(file("stream.msgpack")).raw() != nullptr, true);
  const Source written = Source::file(file("stream.msgpack"));
  EXPECT_EQ(written.bytes(), two_values());
}

TEST(Collection, IsADictionary) {
  Collection collection(registry(), file("named.awkd"), {.codec = "awkward"});
  collection.add("a", Value::parse("[1, 2]", "2 * int64"));
  collection.add("b", Value::parse("[3]", "1 * int64"));
  EXPECT_EQ(collection.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(collection.read("a").numbers<int>(), (std::vector<int>{1, 2}));
  EXPECT_EQ(error_of([&] { collection.add("a", Value::parse("[1]", "1 * int64")); }).code(),
            Status::invalid);
  EXPECT_TRUE(collection.replace("a", Value::parse("[9]", "1 * int64")).empty());
  EXPECT_EQ(collection.read("a").numbers<int>(), std::vector<int>{9});
  EXPECT_TRUE(collection.remove("b").empty());
  EXPECT_EQ(error_of([&] { (void)collection.read("b"); }).code(), Status::not_found);
  const OpenedStore store(registry(), Source::file(file("named.awkd")));
  const Source source = Source::of(store.raw());
  const Codec codec = registry().codec("awkward");
  const Value listed = codec.list(source);
  EXPECT_TRUE(listed.view().find("a"));
  EXPECT_EQ(codec.decode(source, {.member = "a"}).numbers<int>(), std::vector<int>{9});
}

TEST(Stores, AreReadAndChanged) {
  const OpenedStore memory = OpenedStore::of({{"x", "content"}});
  EXPECT_EQ(memory.raw()->count(memory.raw()), 1U);
  EXPECT_EQ(error_of([] { (void)OpenedStore::of({{"../x", ""}}); }).code(), Status::denied);

  const Value value = Value::parse("[1, 2]", "2 * int64");
  {
    StoreChange change = StoreChange::create(registry(), file("store.zip"));
    registry().codec("awkward").encode(value, change);
    change.commit();
  }
  const OpenedStore store(registry(), Source::file(file("store.zip")));
  EXPECT_GT(store.raw()->count(store.raw()), 0U);
  EXPECT_TRUE(registry().codec("awkward").decode(Source::of(store.raw())).equals(value));
  EXPECT_EQ(error_of([] { (void)OpenedStore(registry(), Source::view("no store")); }).code(),
            Status::unsupported);
  (void)StoreChange::edit(registry(), file("store.zip"));  // changes nothing
  EXPECT_TRUE(registry().read(file("store.zip")).equals(value));
}

TEST(Stores, ListTheirBlobsAndTakeNewOnes) {
  {
    const StoreChange change = StoreChange::create(registry(), file("blobs.zip"));
    change.add("a/b", "content");
    change.add("c", "");
    EXPECT_EQ(error_of([&] { change.add("../x", "content"); }).code(), Status::denied);
    change.commit();
  }
  const StoreChange edit = StoreChange::edit(registry(), file("blobs.zip"));
  EXPECT_EQ(error_of([&] { edit.add("c", "again"); }).code(), Status::invalid);
  edit.add("d", std::string(100'000, 'd'));
  edit.commit();
  const OpenedStore store(registry(), Source::file(file("blobs.zip")));
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (const polycodec_store_entry& entry : store.entries())
    found.emplace_back(to_string_view(entry.name), entry.size);
  EXPECT_EQ(found, (decltype(found){{"a/b", 7}, {"c", 0}, {"d", 100'000}}));
  EXPECT_EQ(store.read("a/b"), "content");
  const OpenedStore closed;
  EXPECT_EQ(error_of([&] { (void)closed.entries(); }).code(), Status::invalid);
}

TEST(Stores, HoldTheFilesBesideAFileByName) {
  registry().write_bytes("content", file("beside.txt"));
  registry().write_bytes("secret", file(".hidden"));
  std::filesystem::remove(file("link"));
  std::filesystem::create_symlink("beside.txt", file("link"));
  const Source source = Source::file(file("not_there.obj"), {.companions = true});
  const OpenedStore store(registry(), source);
  EXPECT_EQ(store.raw()->count(store.raw()), 0U) << "none is listed";
  EXPECT_EQ(store.read("beside.txt"), "content");
  const auto code_of = [&](std::string_view name) {
    return error_of([&] { (void)store.read(name); }).code();
  };
  EXPECT_EQ(code_of("missing.txt"), Status::not_found);
  for (const char* denied : {".hidden", "link", "../beside.txt", "/etc/passwd"})
    EXPECT_EQ(code_of(denied), Status::denied) << denied;
  const OpenedStore memory = OpenedStore::of({{"x", "content"}});
  EXPECT_EQ(memory.read("x"), "content");
  EXPECT_EQ(error_of([&] { (void)memory.read("y"); }).code(), Status::not_found);
  EXPECT_EQ(error_of([] { (void)Source::view("bytes", {.companions = true}); }).code(),
            Status::invalid);
}

TEST(Channel, SendsAndReceives) {
  Channel sender(registry(), R"({"codec": "msgpack-ndarray"})"), receiver(registry());
  const Value value = Value::parse(R"({"a": 1})");
  const Message message = sender.pack(value, R"({"mine": "x", "__meta__": {"id": "one"}})");
  EXPECT_TRUE(message.part(0));
  EXPECT_FALSE(message.part(9));
  const std::string bytes = message.bytes();
  receiver.feed(std::string_view(bytes).substr(0, 20));
  EXPECT_FALSE(receiver.next());
  receiver.feed(std::string_view(bytes).substr(20));
  const auto received = receiver.next();
  ASSERT_TRUE(received);
  EXPECT_TRUE(received->value.equals(value));
  EXPECT_EQ(received->control, 0);
  EXPECT_NE(received->header.find("mine"), std::string::npos);
  EXPECT_NE(received->header.find("\"one\""), std::string::npos) << received->header;
  EXPECT_TRUE(Channel(registry()).unpack(Source::view(bytes)).value.equals(value));
  EXPECT_EQ(error_of([] { (void)Channel(registry(), R"({"codec": 1})"); }).code(), Status::option);
  receiver.feed(std::string_view(bytes).substr(0, 20));
  receiver.end_of_input();
  EXPECT_EQ(error_of([&] { (void)receiver.next(); }).code(), Status::truncated);
  EXPECT_EQ(error_of([&] { receiver.feed("x"); }).code(), Status::invalid);
}

TEST(Channel, SendsBytesAndTheEnd) {
  Channel sender(registry());
  const Value value = Value::build([](Builder& out) { return out.bytes_copy("\1YGG"); });
  const std::string bytes = sender.pack(value, R"({"raw": true})").bytes();
  EXPECT_TRUE(bytes.ends_with("YGG_MSG_HEAD\1YGG")) << bytes;
  EXPECT_TRUE(Channel(registry()).unpack(Source::view(bytes)).value.equals(value));
  EXPECT_EQ(error_of([&] { (void)sender.pack(Value::parse("1"), R"({"raw": true})"); }).code(),
            Status::type);
  const std::string end = sender.pack_end().bytes();
  EXPECT_NE(Channel(registry()).unpack(Source::view(end)).control, 0);
}

TEST(Channel, ReadsHeadersAloneAndPackets) {
  const Value value = Value::parse(R"({"a": "a text of some length"})");
  const Message message =
      Channel(registry(), R"({"codec": "msgpack-ndarray", "max_part_bytes": 200})").pack(value);
  const std::string whole = message.bytes();
  Channel headers(registry(), R"({"decode": false})");
  headers.feed(whole);
  const auto header = headers.next();
  ASSERT_TRUE(header);
  EXPECT_TRUE(whole.ends_with(header->value.view().as_bytes()));
  EXPECT_NE(header->header.find("msgpack-ndarray"), std::string::npos);

  Channel packets(registry(), R"({"packets": true})");
  std::size_t parts = 0;
  for (std::uint64_t i = 0; const auto pieces = message.part(i); ++i, ++parts) {
    EXPECT_FALSE(packets.next());
    std::string part;
    for (const polycodec_bytes& piece : *pieces) part += to_string_view(piece);
    packets.feed(part);
  }
  EXPECT_GT(parts, 1U);
  EXPECT_TRUE(packets.next().value().value.equals(value));
  packets.feed("EOF!!!");
  const auto end = packets.next();
  ASSERT_TRUE(end);
  EXPECT_NE(end->control, 0);
  EXPECT_EQ(end->header, "");
}

TEST(Channel, CallsHaveOptions) {
  const std::string bytes = Channel(registry()).pack(Value::parse("[1, 2, 3]")).bytes();
  CallOptions small;
  small.limits.max_nodes = 2;
  EXPECT_EQ(
      error_of([&] { (void)Channel(registry(), {}, small).unpack(Source::view(bytes)); }).code(),
      Status::limit);
}

TEST(Channel, MatchesSayWhatIsAroundTheBody) {
  Channel sender(registry(),
                 R"({"codec": "msgpack-ndarray", "filters": [{"id": "zlib"}, {"id": "crc32"}]})");
  const Value value = Value::parse(R"({"a": 1})");
  const std::string bytes = sender.pack(value).bytes();
  const Match chosen = registry().choose(Source::view(bytes));
  EXPECT_EQ(chosen.codec, "msgpack-ndarray");
  EXPECT_EQ(chosen.by, ChosenBy::header);
  EXPECT_EQ(chosen.filters, "zlib, crc32");
  Match match;
  EXPECT_TRUE(registry().decode(Source::view(bytes), default_call, {}, &match).equals(value));
  EXPECT_EQ(match.filters, "zlib, crc32");
  const std::string bare = Channel(registry()).pack(value).bytes();
  EXPECT_EQ(registry().choose(Source::view(bare)).filters, "");
}

TEST(Schema, ChecksAndNormalizes) {
  const Schema schema =
      Schema::parse(R"({"type": "object", "properties": {"a": {"type": "integer"}}})");
  EXPECT_TRUE(schema.validate(Value::parse(R"({"a": 1})")).empty());
  const auto problems = schema.validate(Value::parse(R"({"a": "x"})"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "$.a");
  EXPECT_EQ(problems[0].keyword, "type");
  EXPECT_NE(schema.text().find("properties"), std::string::npos);
  EXPECT_NE(Schema::infer(Value::parse("1")).text(2).find("\n  \"type\""), std::string::npos);
  EXPECT_EQ(Schema::infer(Value::parse(R"({"type": "2 * int8", "value": [1, 2]})"),
                          POLYCODEC_SCHEMA_MINIMAL)
                .text()
                .find("shape"),
            std::string::npos);
  EXPECT_EQ(error_of([] { (void)Schema::parse("[]"); }).code() != Status::ok, true);

  const Value centimeters = Value::build([](Builder& out) {
    return out.annotated(Builder::real(150.0), out.object({{"units", out.string_copy("cm")}}));
  });
  const Schema meters =
      Schema::parse(R"({"type": "scalar", "subtype": "float", "precision": 8, "units": "m"})");
  EXPECT_EQ(meters.normalize(centimeters).numbers<double>(), std::vector<double>{1.5});
  const Schema old = Schema::parse(R"({"properties": {"a": {"deprecated": "b"},
      "c": {"default": 1}}})");
  std::vector<Problem> warnings;
  EXPECT_TRUE(old.validate(Value::parse(R"({"a": 1})"), &warnings).empty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "$.a");
  warnings.clear();
  const Value same =
      old.normalize(Value::parse(R"({"a": 1})"), Defaults::none, Rounding::none, &warnings);
  EXPECT_TRUE(same.equals(Value::parse(R"({"a": 1})")));
  EXPECT_EQ(warnings.size(), 1U);

  std::vector<double> numbers{1, 2};
  convert_units("m", "cm", numbers);
  EXPECT_EQ(numbers, (std::vector<double>{100, 200}));
  EXPECT_EQ(error_of([&] { convert_units("m", "s", numbers); }).code(), Status::type);
  EXPECT_FALSE(canonical_unit("N").empty());
}

}  // namespace
}  // namespace polycodec::test
