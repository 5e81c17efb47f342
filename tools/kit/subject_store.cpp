// SPDX-License-Identifier: MIT
// A store format under test.
#include <polycodec/host.h>

#include "subjects.hpp"

#include <map>

namespace polycodec::kit {
namespace {

/// Refuses a name as a host does, which reads no store with one that is not safe.
std::int32_t check_blob_name(polycodec_bytes name, polycodec_error* error) {
  const polycodec_bytes content{};
  const polycodec_store* store = nullptr;
  const std::int32_t code = polycodec_store_from_memory(&name, &content, 1, &store, error);
  if (store != nullptr) store->release(store);
  return code;
}

/// One blob, read whole and in parts. Throws Failure if a part differs.
Answer read_blob(const polycodec_store& store, std::uint64_t i, std::uint64_t size,
                 std::uint64_t input_size, std::string_view& whole, Call& call) {
  const auto read = [&](std::uint64_t offset, std::uint64_t count, std::string_view& out) {
    polycodec_bytes bytes{};
    const Answer answer = call.run("read", input_size, [&](polycodec_error* error) {
      return store.read(&store, call.abi(), i, offset, count, &bytes, error);
    });
    if (answer.ok()) out = to_string_view(bytes);
    return answer;
  };
  Answer answer = read(0, UINT64_MAX, whole);
  if (!answer.ok()) return answer;
  require(whole.size() == size, "entry() gives blob " + std::to_string(i) + " " +
                                    std::to_string(size) + " bytes, read() gives " +
                                    std::to_string(whole.size()));
  for (const std::uint64_t offset : {std::uint64_t{0}, size / 2, size, size + 1, UINT64_MAX}) {
    std::string_view part;
    answer = read(offset, 1, part);
    if (!answer.ok()) return answer;
    require(part == (offset < size ? whole.substr(offset, 1) : std::string_view()),
            "read() of one byte at " + std::to_string(offset) + " of " + std::to_string(size) +
                " gives other bytes than read() of all");
  }
  return answer;
}

/// All blobs of a store, as an object in `out`.
Answer read_all(const polycodec_store& store, std::uint64_t input_size, Builder& out, Node& root,
                Call& call) {
  Answer answer;
  std::map<std::string_view, Node> blobs;  // stores may list them in any order
  const std::uint64_t count = store.count(&store);
  for (std::uint64_t i = 0; i < count; ++i) {
    polycodec_store_entry entry{};
    entry.struct_size = sizeof entry;
    answer = call.run("entry", input_size, [&](polycodec_error* error) {
      return store.entry(&store, call.abi(), i, &entry, error);
    });
    if (!answer.ok()) return answer;
    std::uint64_t found = 0;
    answer = call.run("find", input_size, [&](polycodec_error* error) {
      return store.find(&store, call.abi(), entry.name, &found, error);
    });
    if (!answer.ok()) return answer;
    const std::string_view name = to_string_view(entry.name);
    answer.code = check_blob_name(entry.name, &answer.error);
    if (answer.ok() && found < i)
      answer.code = fill_error(&answer.error, Status::invalid, "two blobs of the same name");
    if (!answer.ok()) return answer;
    require(found == i, "find() does not find blob " + std::to_string(i) + " by its name");
    std::string_view bytes;
    answer = read_blob(store, i, entry.size, input_size, bytes, call);
    if (!answer.ok()) return answer;
    require(call.regions().contains(bytes.data(), bytes.size()),
            "blob " + std::to_string(i) + " lies neither in the file nor in memory of the call");
    blobs.emplace(name, Builder::bytes_view(bytes));
  }
  std::uint64_t i = 0;
  const Answer missing = call.run("find", input_size, [&](polycodec_error* error) {
    return store.find(&store, call.abi(), to_bytes("no such blob"), &i, error);
  });
  require(!missing.ok(), "find() finds a blob that does not exist");
  if (missing.code != POLYCODEC_ERROR_NOT_FOUND) return missing;
  ObjectBuilder object = out.object();
  for (const auto& [name, bytes] : blobs) object.push(name, bytes);
  root = object;
  return answer;
}

}  // namespace

StoreSubject::StoreSubject(Plugin& plugin, const Entry& entry, const Sample& options)
    : SubjectOf(plugin, entry, find_object(plugin.tables().stores, entry.name)),
      options_(options) {}

std::vector<Sample> StoreSubject::values() const {
  std::vector<Sample> values;
  const auto add = [&](std::string name, const Parts& parts) {
    values.push_back(build_sample(std::move(name), [&](Builder& out) {
      ObjectBuilder blobs = out.object();
      for (const auto& [blob, bytes] : parts) blobs.push(blob, out.bytes_copy(bytes));
      return Node(blobs);
    }));
  };
  add("nothing", {});
  add("one_blob", {{"a", "bytes of a blob"}});
  add("empty_blob", {{"a", ""}});
  add("directories", {{"a/b/c", "1"}, {"a/b/d", "2"}, {"e", "3"}});
  add("large", {{"words", std::string(300, 'w')}, {"zeros", std::string(70000, '\0')}});
  return values;
}

Answer StoreSubject::do_read(const Encoded& encoded, Reading& out, Call& call) const {
  const auto file = std::make_shared<TestFile>(encoded.bytes());
  const auto memory = std::make_shared<TestArena>(never, never, false);
  call.others.add(file->bytes());
  const polycodec_store* store = nullptr;
  Answer answer = call.run("open", encoded.size(), [&](polycodec_error* error) {
    return object().open(&object(), call.abi(), file->abi(), options_.root, &store, error);
  });
  if (!answer.ok()) return answer;
  require(store != nullptr, "open returned OK and no store");
  out.owners.insert(out.owners.begin(), file);
  out.owners.push_back(memory);
  out.owners.push_back(std::shared_ptr<const polycodec_store>(
      store, [](const polycodec_store* opened) { opened->release(opened); }));
  Builder builder(memory->abi());
  Node root = Builder::null();
  answer = read_all(*store, encoded.size(), builder, root, call);
  if (answer.ok()) out.root = builder.root(root);
  call.others.add(memory->regions());
  return answer;
}

Answer StoreSubject::open_writer(bool edit, TestOutputFile& file, StoreWriter& writer,
                                 Call& call) const {
  polycodec_store_writer* opened = nullptr;
  const char* const name = edit ? "edit" : "create";
  const Answer answer = call.run(name, POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return (edit ? object().edit : object().create)(&object(), call.abi(), file.abi(),
                                                    options_.root, &opened, error);
  });
  require(!answer.ok() || opened != nullptr, "a store writer is NULL");
  if (answer.ok()) writer = {opened, [](polycodec_store_writer* w) { w->release(w); }};
  return answer;
}

Answer StoreSubject::write_blob(polycodec_store_writer& writer, std::string_view name,
                                std::string_view bytes, Call& call) {
  polycodec_sink* sink = nullptr;
  Answer answer = call.run("begin_blob", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return writer.begin_blob(&writer, call.abi(), to_bytes(name), {nullptr, 0}, &sink, error);
  });
  if (!answer.ok()) return answer;
  // Half of the bytes through the window, byte by byte, the others by reference.
  const std::size_t half = std::min<std::size_t>(bytes.size() / 2, 5000);
  answer = call.run("grow", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    for (std::size_t i = 0; i < half; ++i) {
      if (sink->cursor == sink->limit)
        if (const auto code = sink->grow(sink, 1, error)) return code;
      *sink->cursor++ = static_cast<std::uint8_t>(bytes[i]);
    }
    return POLYCODEC_OK + 0;
  });
  if (!answer.ok()) return answer;
  return call.run("reference", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return sink->reference(sink, bytes.data() + half, bytes.size() - half, error);
  });
}

Answer StoreSubject::commit(polycodec_store_writer& writer, Call& call) {
  return call.run("commit", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return writer.commit(&writer, call.abi(), error);
  });
}

Answer StoreSubject::do_write(const Sample& value, Encoded& out, Call& call) const {
  TestOutputFile file;
  StoreWriter writer(nullptr, nullptr);
  Answer answer = open_writer(false, file, writer, call);
  if (!answer.ok()) return answer;
  const View blobs = value.view();
  for (std::uint64_t i = 0; i < blobs.size() && answer.ok(); ++i)
    answer = write_blob(*writer, blobs.name(i), blobs.child(i).as_bytes(), call);
  if (answer.ok()) answer = commit(*writer, call);
  out.parts = {{std::string(), file.bytes()}};
  return answer;
}

}  // namespace polycodec::kit
