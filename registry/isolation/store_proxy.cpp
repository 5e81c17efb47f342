// SPDX-License-Identifier: MIT
// Stores of an isolated plugin. Each open one has a worker of its own.
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/isolation/proxies.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace polycodec::isolation {
namespace {

using Format = ObjectProxy<polycodec_store_format>;

/// The worker of an opened store or writer, and the file that it works on.
struct Session {
  explicit Session(const Format& format)
      : seat(format.plugin->shared_from_this()), number(seat.plugin->new_number()) {
    static_cast<void>(seat.plugin->new_number());  // of the base of a writer
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (seat.worker == nullptr) return;
    for (const std::uint64_t made : {number, number + 1}) seat.worker->close(made);
  }
  Message open(const Format& format, polycodec_call* call, Op op, const polycodec_node* options,
               const polycodec_file* file, const polycodec_output_file* output) {
    Exchange exchange(seat, call, Exchange::unknown_bytes, served);
    auto* const staged = new (exchange.allocate(sizeof(StagedOpening), 8)) StagedOpening{};
    staged->index = format.index;
    staged->number = number;
    staged->options = exchange.stage(options);
    exchange.stage(file, staged->file);
    staged->output = served.add(Served::Kind::output, output);
    const Message answer = exchange.run(op, 0, isolation::number(staged));
    if (staged->file.mapped.size == 0) return answer;
    mapped = posix::MappedFile::find(file);
    polycodec_bytes all{};  // the worker reads without a word, so all of it counts as read
    invoke(file->view, file, call, std::uint64_t{0}, mapped->bytes().size, &all);
    return answer;
  }

  Seat seat;
  Served served;
  std::shared_ptr<const posix::MappedFile> mapped;  // which the worker has as long as the store
  std::uint64_t number;
  std::mutex mutex;  // a store may be used by several threads
};

/// A store in the worker of a session: the one that was opened, or the base of a writer.
class StoreProxy {
 public:
  StoreProxy(Session& session, std::uint64_t number, std::uint64_t count, std::uint64_t flags)
      : session_(session), number_(number), count_(count) {
    abi_.struct_size = sizeof abi_;
    abi_.flags = static_cast<std::uint32_t>(flags);
    abi_.private_data = this;
    abi_.count = [](const polycodec_store* self) { return of(self).count_; };
    abi_.entry = [](const polycodec_store* self, polycodec_call* call, std::uint64_t i,
                    polycodec_store_entry* entry, polycodec_error* error) {
      return guard(error, [&] { of(self).entry(call, i, *entry); });
    };
    abi_.find = [](const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                   std::uint64_t* i, polycodec_error* error) {
      return guard(error, [&] {
        StoreProxy& store = of(self);
        const std::scoped_lock lock(store.session_.mutex);
        Exchange exchange(store.session_.seat, call, name.size, store.session_.served);
        exchange.has_file(store.session_.mapped);
        const polycodec_bytes staged = exchange.stage(name);
        *i =
            exchange.run(Op::store_find, store.number_, isolation::number(staged.data), staged.size)
                .a[field::result];
      });
    };
    abi_.read = [](const polycodec_store* self, polycodec_call* call, std::uint64_t i,
                   std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                   polycodec_error* error) {
      return guard(error, [&] {
        StoreProxy& store = of(self);
        const std::scoped_lock lock(store.session_.mutex);
        Exchange exchange(store.session_.seat, call, Exchange::unknown_bytes,
                          store.session_.served);
        exchange.has_file(store.session_.mapped);
        const Message answer = exchange.run(Op::store_read, store.number_, i, offset, size);
        *content = exchange.take_bytes(answer, answer.a[field::bytes], answer.a[field::bytes + 1]);
      });
    };
    abi_.release = [](const polycodec_store*) {};
  }
  StoreProxy(const StoreProxy&) = delete;
  StoreProxy& operator=(const StoreProxy&) = delete;
  polycodec_store& abi() noexcept { return abi_; }
  void own(std::unique_ptr<Session> session) noexcept {
    owned_ = std::move(session);
    abi_.release = [](const polycodec_store* self) { delete &of(self); };
  }

 private:
  static StoreProxy& of(const polycodec_store* self) noexcept {
    return *static_cast<StoreProxy*>(self->private_data);
  }
  void entry(polycodec_call* call, std::uint64_t i, polycodec_store_entry& entry) {
    const std::scoped_lock lock(session_.mutex);
    auto known = entries_.find(i);
    if (known == entries_.end()) {
      Exchange exchange(session_.seat, call, 0, session_.served);
      exchange.has_file(session_.mapped);
      const Message answer = exchange.run(Op::store_entry, number_, i);
      Entry found{exchange.text(answer, field::bytes), exchange.text(answer, field::more_bytes),
                  answer.a[field::third]};
      exchange.finish(answer);
      known = entries_.emplace(i, std::move(found)).first;
    }
    entry.name = to_bytes(known->second.name);
    entry.owner = to_bytes(known->second.owner);
    entry.size = known->second.size;
  }

  struct Entry {
    std::string name, owner;
    std::uint64_t size;
  };
  std::unique_ptr<Session> owned_;
  Session& session_;
  std::uint64_t number_, count_;
  std::map<std::uint64_t, Entry> entries_;
  polycodec_store abi_{};
};

/// A store with its session, which its release ends.
StoreProxy* open_store(const Format& format, polycodec_call* call, const polycodec_file* file,
                       const polycodec_node* options) {
  auto session = std::make_unique<Session>(format);
  const Message answer = session->open(format, call, Op::store_open, options, file, nullptr);
  auto store = std::make_unique<StoreProxy>(*session, session->number, answer.a[field::result],
                                            answer.a[field::second]);
  store->own(std::move(session));
  return store.release();
}

/// A writer. Blobs are collected and sent in parts.
class WriterProxy {
 public:
  WriterProxy(const Format& format, polycodec_call* call, Op op, polycodec_output_file* file,
              const polycodec_node* options)
      : session_(format) {
    const Message answer = session_.open(format, call, op, options, file->file, file);
    if (answer.a[field::result] != 0)
      base_ = std::make_unique<StoreProxy>(session_, session_.number + 1, answer.a[field::second],
                                           answer.a[field::bytes]);
    abi_.struct_size = sizeof abi_;
    abi_.flags = static_cast<std::uint32_t>(answer.a[field::third]);
    abi_.base = base_ == nullptr ? nullptr : &base_->abi();
    abi_.private_data = this;
    abi_.begin_blob = &begin_blob;
    abi_.remove = &remove;
    abi_.commit = [](polycodec_store_writer* self, polycodec_call* in, polycodec_error* error) {
      return guard(error, [&] {
        WriterProxy& writer = of(self);
        writer.flush(in);
        writer.run(in, Op::commit);
      });
    };
    abi_.release = [](polycodec_store_writer* self) { delete &of(self); };
    sink_.struct_size = sizeof sink_;
    sink_.private_data = this;
    sink_.grow = [](polycodec_sink* self, std::uint64_t need, polycodec_error* error) {
      auto& writer = *static_cast<WriterProxy*>(self->private_data);
      return guard(error, [&] {
        if (need <= static_cast<std::uint64_t>(self->limit - self->cursor)) return;
        writer.flush(writer.call_);
      });
    };
    sink_.reference = [](polycodec_sink* self, const void* data, std::uint64_t size,
                         polycodec_error* error) {
      return polycodec_sink_put(self, data, size, error);
    };
    sink_.expect = [](polycodec_sink*, std::uint64_t, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.adopt = [](polycodec_sink*, void* object, void (*release)(void*), const polycodec_bytes*,
                     std::uint64_t, polycodec_error*) {
      give_back([&] { release(object); });  // all is copied
      return std::int32_t{POLYCODEC_OK};
    };
  }
  WriterProxy(const WriterProxy&) = delete;
  WriterProxy& operator=(const WriterProxy&) = delete;
  polycodec_store_writer* abi() noexcept { return &abi_; }

 private:
  static WriterProxy& of(polycodec_store_writer* self) noexcept {
    return *static_cast<WriterProxy*>(self->private_data);
  }
  static std::int32_t begin_blob(polycodec_store_writer* self, polycodec_call* call,
                                 polycodec_bytes name, polycodec_bytes owner, polycodec_sink** sink,
                                 polycodec_error* error) {
    return guard(error, [&] {
      WriterProxy& writer = of(self);
      writer.flush(call);
      Exchange exchange(writer.session_.seat, call, 0, writer.session_.served);
      auto* const staged = new (exchange.allocate(sizeof(StagedBlob), 8)) StagedBlob{};
      staged->name = exchange.stage(name);
      staged->owner = exchange.stage(owner);
      exchange.run(Op::begin_blob, writer.session_.number, number(staged));
      writer.call_ = call;
      writer.buffer_.resize(POLYCODEC_MAX_WINDOW);
      writer.sink_.cursor = writer.buffer_.data();
      writer.sink_.limit = writer.buffer_.data() + writer.buffer_.size();
      *sink = &writer.sink_;
    });
  }
  static std::int32_t remove(polycodec_store_writer* self, polycodec_call* call, std::uint64_t i,
                             polycodec_bytes owner, polycodec_error* error) {
    return guard(error, [&] {
      WriterProxy& writer = of(self);
      Exchange exchange(writer.session_.seat, call, 0, writer.session_.served);
      const polycodec_bytes staged = exchange.stage(owner);
      exchange.run(Op::remove_blob, writer.session_.number, i, number(staged.data), staged.size);
    });
  }
  void flush(polycodec_call* call) {
    const auto size = static_cast<std::uint64_t>(sink_.cursor - buffer_.data());
    if (buffer_.empty() || size == 0) return;
    Exchange exchange(session_.seat, call, size, session_.served);
    const polycodec_bytes staged = exchange.stage(polycodec_bytes{buffer_.data(), size});
    exchange.run(Op::blob_data, session_.number, number(staged.data), staged.size);
    sink_.cursor = buffer_.data();
  }
  void run(polycodec_call* call, Op op) {
    Exchange(session_.seat, call, 0, session_.served).run(op, session_.number);
  }

  Session session_;
  std::unique_ptr<StoreProxy> base_;
  polycodec_call* call_ = nullptr;  // in which the blob was begun
  std::vector<std::uint8_t> buffer_;
  polycodec_sink sink_{};
  polycodec_store_writer abi_{};
};

const Format& format_of(const polycodec_store_format* self) noexcept {
  return *static_cast<const Format*>(self->private_data);
}

template <Op op>
std::int32_t make_writer(const polycodec_store_format* self, polycodec_call* call,
                         polycodec_output_file* file, const polycodec_node* options,
                         polycodec_store_writer** writer, polycodec_error* error) {
  return guard(error, [&] {
    auto made = std::make_unique<WriterProxy>(format_of(self), call, op, file, options);
    *writer = made.release()->abi();
  });
}

}  // namespace

void fill(ObjectProxy<polycodec_store_format>& proxy, bool can_sniff) {
  fill_object(proxy, can_sniff);
  polycodec_store_format& abi = proxy.abi;
  abi.open = [](const polycodec_store_format* self, polycodec_call* call,
                const polycodec_file* file, const polycodec_node* options,
                const polycodec_store** store, polycodec_error* error) {
    return guard(error, [&] { *store = &open_store(format_of(self), call, file, options)->abi(); });
  };
  if ((abi.capabilities & POLYCODEC_CAN_CREATE) != 0) abi.create = &make_writer<Op::store_create>;
  if ((abi.capabilities & POLYCODEC_CAN_EDIT) != 0) abi.edit = &make_writer<Op::store_edit>;
}

}  // namespace polycodec::isolation
