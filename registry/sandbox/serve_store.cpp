// SPDX-License-Identifier: MIT
// Requests for stores that a plugin reads and writes.
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/sandbox/worker.hpp"

#include <utility>

namespace polycodec::sandbox {

using isolation::pointer;
using isolation::StagedBlob;
using isolation::StagedOpening;

void Worker::open_store(const Message& request, Message& answer) {
  const auto& staged = *pointer<const StagedOpening>(request.a[1]);
  const auto* const format = object<polycodec_store_format>(staged.index);
  auto one = std::make_unique<MadeObject>();
  one->arena = std::make_unique<Arena>();
  RemoteCall call(link_, one->arena->abi(), true);
  if (request.op == Op::store_open) {
    one->file = std::make_unique<RemoteFile>(staged.file, true);
    const polycodec_store* store = nullptr;
    call_plugin(format->open, format, call.abi(), one->file->abi(), staged.options, &store);
    if (store == nullptr) throw Error(Status::plugin, "open() made no store");
    one->object = store;
    one->release = [](const void* made) {
      const auto* const opened = static_cast<const polycodec_store*>(made);
      give_back([&] { opened->release(opened); });
    };
    one->mapped = std::exchange(request_file_, {});
    answer.a[isolation::field::result] = store->count(store);
    answer.a[isolation::field::second] = store->flags;
  } else {
    one->output = std::make_unique<RemoteOutputFile>(staged.file, staged.output);
    polycodec_store_writer* writer = nullptr;
    call_plugin(request.op == Op::store_create ? format->create : format->edit, format, call.abi(),
                one->output->abi(), staged.options, &writer);
    if (writer == nullptr) throw Error(Status::plugin, "the plugin made no writer of a store");
    one->object = writer;
    one->release = [](const void* made) {
      auto* const opened = static_cast<polycodec_store_writer*>(const_cast<void*>(made));
      give_back([&] { opened->release(opened); });
    };
    answer.a[isolation::field::third] = writer->flags;
    if (writer->base != nullptr) {
      auto base = std::make_unique<MadeObject>();
      base->object = writer->base;
      answer.a[isolation::field::result] = 1;
      answer.a[isolation::field::second] = writer->base->count(writer->base);
      answer.a[isolation::field::bytes] = writer->base->flags;
      made_[staged.number + 1] = std::move(base);
    }
  }
  made_[staged.number] = std::move(one);
}

void Worker::serve_store(const Message& request, Message& answer, RemoteCall& call) {
  const auto* const store = made<polycodec_store>(request.a[0]);
  use_file_of(find(request.a[0]));
  switch (request.op) {
    case Op::store_entry: {
      polycodec_store_entry entry{};
      entry.struct_size = sizeof entry;
      call_plugin(store->entry, store, call.abi(), request.a[1], &entry);
      bytes(answer, isolation::field::bytes, entry.name);
      bytes(answer, isolation::field::more_bytes, entry.owner);
      answer.a[isolation::field::third] = entry.size;
      return;
    }
    case Op::store_find:
      return call_plugin(store->find, store, call.abi(),
                         polycodec_bytes{pointer<const void>(request.a[1]), request.a[2]},
                         &answer.a[isolation::field::result]);
    case Op::store_read: {
      polycodec_bytes content{};
      call_plugin(store->read, store, call.abi(), request.a[1], request.a[2], request.a[3],
                  &content);
      return bytes(answer, isolation::field::bytes, content);
    }
    default:
      throw Error(Status::internal, "the host asked a worker for something unknown");
  }
}

void Worker::serve_store_writer(const Message& request, RemoteCall& outer) {
  MadeObject& one = find(request.a[0]);
  auto* const writer = made_changing<polycodec_store_writer>(request.a[0]);
  // What a writer allocates may serve it until it is released.
  RemoteCall call(outer.abi(), one.arena->abi(), true);
  switch (request.op) {
    case Op::begin_blob: {
      const auto& staged = *pointer<const StagedBlob>(request.a[1]);
      one.blob = nullptr;
      call_plugin(writer->begin_blob, writer, call.abi(), staged.name, staged.owner, &one.blob);
      break;
    }
    case Op::blob_data:
      if (one.blob == nullptr) throw Error(Status::invalid, "no blob of the store is begun");
      call_plugin(&polycodec_sink_put, one.blob, pointer<const void>(request.a[1]), request.a[2]);
      break;
    case Op::remove_blob:
      call_plugin(writer->remove, writer, call.abi(), request.a[1],
                  polycodec_bytes{pointer<const void>(request.a[2]), request.a[3]});
      break;
    default:
      one.blob = nullptr;
      call_plugin(writer->commit, writer, call.abi());
      break;
  }
}

}  // namespace polycodec::sandbox
