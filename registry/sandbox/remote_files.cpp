// SPDX-License-Identifier: MIT
#include "registry/sandbox/remote_files.hpp"

#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstring>

namespace polycodec::sandbox {

using isolation::Handle;
using isolation::number;
using isolation::pointer;

namespace {

/// Bytes that one question asks for.
constexpr std::uint64_t max_part = std::uint64_t{1} << 20;

Message question(Op op, Handle handle, std::uint64_t first = 0, std::uint64_t second = 0,
                 std::uint64_t third = 0) {
  Message message;
  message.op = op;
  message.a[0] = handle;
  message.a[1] = first;
  message.a[2] = second;
  message.a[3] = third;
  return message;
}

[[noreturn]] void refuse_own(const char* what) {
  throw Error(Status::unsupported, std::string("the ") + what +
                                       " is of the isolated plugin itself, and another codec would "
                                       "have to call it there: set policy.isolation to in-process");
}

}  // namespace

// -- files --

RemoteFile::RemoteFile(const isolation::StagedFile& staged, bool persistent)
    : handle_(staged.handle), mapped_(staged.mapped), persistent_(persistent) {
  abi_.struct_size = sizeof abi_;
  abi_.flags = staged.flags;
  std::memcpy(abi_.identity, staged.identity, sizeof abi_.identity);
  abi_.descriptor = -1;
  abi_.private_data = this;
  abi_.size = &size;
  abi_.read_at = &read_at;
  abi_.view = &view;
  abi_.release = [](const polycodec_file*) {};
}

Handle RemoteFile::handle_of(const polycodec_file* file) {
  if (file == nullptr) return 0;
  if (file->read_at != &read_at) refuse_own("file");
  return static_cast<const RemoteFile*>(file->private_data)->handle_;
}

polycodec_bytes RemoteFile::part(std::uint64_t offset, std::uint64_t size) const noexcept {
  const std::uint64_t from = std::min(offset, mapped_.size);
  return {static_cast<const char*>(mapped_.data) + from, std::min(size, mapped_.size - from)};
}

std::int32_t RemoteFile::size(const polycodec_file* self, polycodec_call* call, std::uint64_t* size,
                              polycodec_error* error) {
  return guard(error, [&] {
    const auto& file = *static_cast<const RemoteFile*>(self->private_data);
    *size = file.mapped_.size != 0
                ? file.mapped_.size
                : RemoteCall::ask(call, question(Op::file_size, file.handle_)).a[0];
  });
}

std::int32_t RemoteFile::read_at(const polycodec_file* self, polycodec_call* call,
                                 std::uint64_t offset, void* buffer, std::uint64_t size,
                                 std::uint64_t* got, polycodec_error* error) {
  return guard(error, [&] {
    const auto& file = *static_cast<const RemoteFile*>(self->private_data);
    const Handle handle = file.handle_;
    *got = 0;
    if (file.mapped_.size != 0) {
      const polycodec_bytes found = file.part(offset, size);
      if (found.size != 0) std::memcpy(buffer, found.data, static_cast<std::size_t>(found.size));
      *got = found.size;
      return;
    }
    while (*got < size) {
      const std::uint64_t part = std::min(size - *got, max_part);
      const Message reply =
          RemoteCall::ask(call, question(Op::file_read, handle, offset + *got, part));
      std::memcpy(static_cast<char*>(buffer) + *got, pointer<const void>(reply.a[0]),
                  static_cast<std::size_t>(reply.a[1]));
      *got += reply.a[1];
      if (reply.a[1] < part) return;
    }
  });
}

std::int32_t RemoteFile::view(const polycodec_file* self, polycodec_call* call,
                              std::uint64_t offset, std::uint64_t size, polycodec_bytes* bytes,
                              polycodec_error* error) {
  return guard(error, [&] {
    const auto& file = *static_cast<const RemoteFile*>(self->private_data);
    if (file.mapped_.size != 0) {
      *bytes = file.part(offset, size);
      return;
    }
    if (!file.persistent_) {
      const Message reply =
          RemoteCall::ask(call, question(Op::file_read, file.handle_, offset, size, 1));
      *bytes = {pointer<const void>(reply.a[0]), reply.a[1]};
      return;
    }
    std::uint64_t all = 0;
    invoke(self->size, self, call, &all);
    size = std::min(size, all - std::min(all, offset));
    auto copy = std::make_unique<char[]>(static_cast<std::size_t>(size));
    bytes->data = copy.get();
    invoke(self->read_at, self, call, offset, static_cast<void*>(copy.get()), size, &bytes->size);
    file.views_.push_back(std::move(copy));
  });
}

RemoteOutputFile::RemoteOutputFile(const isolation::StagedFile& staged, Handle handle)
    : file_(staged, true), handle_(handle) {
  abi_.struct_size = sizeof abi_;
  abi_.file = file_.abi();
  abi_.private_data = this;
  abi_.write_at = [](polycodec_output_file* self, polycodec_call* call, std::uint64_t offset,
                     const void* data, std::uint64_t size, polycodec_error* error) {
    return guard(error, [&] {
      const Handle number_of = static_cast<RemoteOutputFile*>(self->private_data)->handle_;
      for (std::uint64_t done = 0; done < size;) {
        const std::uint64_t part = std::min(size - done, max_part);
        Packed packed(call);
        const void* const copy = packed.bytes(static_cast<const char*>(data) + done, part);
        packed.ask(question(Op::output_write, number_of, offset + done, number(copy), part));
        done += part;
      }
    });
  };
  abi_.truncate = [](polycodec_output_file* self, polycodec_call* call, std::uint64_t size,
                     polycodec_error* error) {
    return guard(error, [&] {
      RemoteCall::ask(call,
                      question(Op::output_truncate,
                               static_cast<RemoteOutputFile*>(self->private_data)->handle_, size));
    });
  };
  abi_.sync = [](polycodec_output_file* self, polycodec_call* call, polycodec_error* error) {
    return guard(error, [&] {
      RemoteCall::ask(call, question(Op::output_sync,
                                     static_cast<RemoteOutputFile*>(self->private_data)->handle_));
    });
  };
}

// -- stores --

RemoteStore::RemoteStore(const isolation::StagedStore& staged) : staged_(staged) {
  abi_.struct_size = sizeof abi_;
  abi_.flags = staged.flags;
  abi_.private_data = this;
  abi_.count = [](const polycodec_store* self) {
    return static_cast<const RemoteStore*>(self->private_data)->staged_.count;
  };
  abi_.entry = &entry;
  abi_.find = &find;
  abi_.read = &read;
  abi_.release = [](const polycodec_store*) {};
}

Handle RemoteStore::handle_of(const polycodec_store* store) {
  if (store == nullptr) return 0;
  if (store->read != &read) refuse_own("store");
  return static_cast<const RemoteStore*>(store->private_data)->staged_.handle;
}

std::int32_t RemoteStore::entry(const polycodec_store* self, polycodec_call* call, std::uint64_t i,
                                polycodec_store_entry* entry, polycodec_error* error) {
  return guard(error, [&] {
    const auto& store = *static_cast<const RemoteStore*>(self->private_data);
    auto known = store.entries_.find(i);
    if (known == store.entries_.end()) {
      const Message m = RemoteCall::ask(call, question(Op::blobs_entry, store.staged_.handle, i));
      known =
          store.entries_
              .emplace(i, Entry{std::string(to_string_view(pointer<const void>(m.a[0]), m.a[1])),
                                std::string(to_string_view(pointer<const void>(m.a[2]), m.a[3])),
                                m.a[4]})
              .first;
    }
    entry->name = to_bytes(known->second.name);
    entry->owner = to_bytes(known->second.owner);
    entry->size = known->second.size;
  });
}

std::int32_t RemoteStore::find(const polycodec_store* self, polycodec_call* call,
                               polycodec_bytes name, std::uint64_t* i, polycodec_error* error) {
  return guard(error, [&] {
    Packed packed(call);
    Message message = question(Op::blobs_find,
                               static_cast<const RemoteStore*>(self->private_data)->staged_.handle);
    packed.text(message, 1, name);
    *i = packed.ask(message).a[0];
  });
}

std::int32_t RemoteStore::read(const polycodec_store* self, polycodec_call* call, std::uint64_t i,
                               std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                               polycodec_error* error) {
  return guard(error, [&] {
    const Handle handle = static_cast<const RemoteStore*>(self->private_data)->staged_.handle;
    const Message reply = RemoteCall::ask(call, question(Op::blobs_read, handle, i, offset, size));
    *content = {pointer<const void>(reply.a[0]), reply.a[1]};
  });
}

RemoteWriter::RemoteWriter(const isolation::StagedOutput& staged)
    : handle_(staged.writer), base_(staged.base) {
  abi_.struct_size = sizeof abi_;
  abi_.flags = staged.writer_flags;
  abi_.base = staged.base.handle == 0 ? nullptr : base_.abi();
  abi_.private_data = this;
  abi_.begin_blob = &begin_blob;
  abi_.remove = &remove;
  abi_.commit = [](polycodec_store_writer*, polycodec_call*, polycodec_error* error) {
    return fill_error(error, Status::plugin, "a codec commits no store: the host does");
  };
  abi_.release = [](polycodec_store_writer*) {};
}

Handle RemoteWriter::handle_of(const polycodec_store_writer* writer) {
  if (writer == nullptr) return 0;
  if (writer->begin_blob != &begin_blob) refuse_own("store");
  return static_cast<const RemoteWriter*>(writer->private_data)->handle_;
}

void RemoteWriter::flush(polycodec_call* call) {
  if (blob_ == nullptr) return;
  for (const polycodec_bytes& part : blob_->finish())
    RemoteCall::ask(call, question(Op::blobs_data, handle_, number(part.data), part.size));
  blob_.reset();
}

std::int32_t RemoteWriter::begin_blob(polycodec_store_writer* self, polycodec_call* call,
                                      polycodec_bytes name, polycodec_bytes owner,
                                      polycodec_sink** sink, polycodec_error* error) {
  return guard(error, [&] {
    auto& writer = *static_cast<RemoteWriter*>(self->private_data);
    writer.flush(call);
    Packed packed(call);
    Message message = question(Op::blobs_begin, writer.handle_);
    packed.text(message, 1, name);
    packed.text(message, 3, owner);
    packed.ask(message);
    const Link& link = RemoteCall::of(call).link();
    writer.blob_ =
        std::make_unique<isolation::RangeSink>(isolation::blob_begin(link.out, link.out_size),
                                               link.out + link.out_size, isolation::Range(), false);
    *sink = writer.blob_->abi();
  });
}

std::int32_t RemoteWriter::remove(polycodec_store_writer* self, polycodec_call* call,
                                  std::uint64_t i, polycodec_bytes owner, polycodec_error* error) {
  return guard(error, [&] {
    Packed packed(call);
    Message message =
        question(Op::blobs_remove, static_cast<RemoteWriter*>(self->private_data)->handle_, i);
    packed.text(message, 2, owner);
    packed.ask(message);
  });
}

}  // namespace polycodec::sandbox
