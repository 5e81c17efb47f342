// SPDX-License-Identifier: MIT
// Requests for codecs, their streams, and filters.
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/sandbox/worker.hpp"

#include <cstring>
#include <utility>

namespace polycodec::sandbox {

using isolation::number;
using isolation::pointer;
using isolation::StagedInput;
using isolation::StagedOutput;
using isolation::StagedStore;

namespace {

template <class T>
void release(const void* object) {
  const auto* const made = static_cast<const T*>(object);
  give_back([&] { made->release(made); });
}
template <class T>
void release_changing(const void* object) {
  auto* const made = static_cast<T*>(const_cast<void*>(object));
  give_back([&] { made->release(made); });
}

template <class... Functions>
std::uint64_t present(Functions*... functions) {
  std::uint64_t bits = 0, bit = 1;
  ((bits |= functions != nullptr ? bit : 0, bit <<= 1), ...);
  return bits;
}

/// The input of a request as a plugin sees it.
struct Input {
  explicit Input(const StagedInput& staged)
      : abi(staged.abi), file(staged.file, false), store(staged.store) {
    if (staged.file.handle != 0) abi.file = file.abi();
    if (staged.store.handle != 0) abi.store = store.abi();
  }
  polycodec_input abi;
  RemoteFile file;
  RemoteStore store;
};

template <class T>
void check_made(const T* made) {
  if (made == nullptr || made->release == nullptr)
    throw Error(Status::plugin, "the plugin reported success and made nothing");
}

}  // namespace

void Worker::sniff(const Message& request, Message& answer, RemoteCall& call) {
  Input input(*pointer<const StagedInput>(request.a[1]));
  polycodec_sniff found{};
  found.struct_size = sizeof found;
  const std::uint64_t index = request.a[0];
  const auto ask = [&](const auto* with) {
    call_plugin(with->sniff, with, call.abi(), &input.abi, &found);
  };
  switch (manifest_.codecs.at(static_cast<std::size_t>(index)).kind) {
    case Kind::codec:
      ask(object<polycodec_codec>(index));
      break;
    case Kind::filter:
      ask(object<polycodec_filter>(index));
      break;
    case Kind::store:
      ask(object<polycodec_store_format>(index));
      break;
  }
  answer.a[isolation::field::result] = found.score;
  bytes(answer, isolation::field::bytes, to_bytes(detail::field_text(found.reason)));
}

void Worker::open(const isolation::Opening& opening) {
  auto one = std::make_unique<MadeObject>();
  one->arena = std::make_unique<Arena>();
  {
    RemoteCall call(link_, one->arena->abi(), true);
    const polycodec_node* const options = opening.options;
    if (manifest_.codecs.at(static_cast<std::size_t>(opening.index)).kind == Kind::filter) {
      const auto* const filter = object<polycodec_filter>(opening.index);
      const polycodec_filter_instance* made = nullptr;
      call_plugin(filter->open, filter, call.abi(), options, &made);
      check_made(made);
      one->object = made;
      one->release = &release<polycodec_filter_instance>;
      one->functions = present(made->encode, made->decode, made->decoded_size);
    } else {
      const auto* const codec = object<polycodec_codec>(opening.index);
      const polycodec_instance* made = nullptr;
      call_plugin(codec->open, codec, call.abi(), options, &made);
      check_made(made);
      one->object = made;
      one->release = &release<polycodec_instance>;
      one->functions = present(made->decode, made->encode, made->encoded_size, made->open_reader,
                               made->open_writer, made->list);
    }
  }
  made_[opening.number] = std::move(one);
}

void Worker::serve_codec(const Message& request, Message& answer, RemoteCall& call) {
  const auto* const instance = made<polycodec_instance>(request.a[0]);
  const polycodec_node* root = nullptr;
  switch (request.op) {
    case Op::decode: {
      Input input(*pointer<const StagedInput>(request.a[1]));
      call_plugin(instance->decode, instance, call.abi(), &input.abi, &root);
      const std::uint64_t end = link_.arena.used_end();
      // The host may then ask once more: it must not be told of things twice.
      if (request.a[2] != 0 && !link_.has_told && end - link_.out > isolation::small_result) {
        answer.a[isolation::field::result] = number(root);
        return;
      }
      value(answer, root, call.abi());
      answer.a[isolation::field::has_copied] = link_.arena.used_end() != end ? 1 : 0;
      return;
    }
    case Op::list: {
      const RemoteStore store(*pointer<const StagedStore>(request.a[1]));
      call_plugin(instance->list, instance, call.abi(), store.abi(), &root);
      return value(answer, root, call.abi());
    }
    case Op::encoded_size:
      return call_plugin(instance->encoded_size, instance, call.abi(),
                         pointer<const polycodec_node>(request.a[1]),
                         &answer.a[isolation::field::result]);
    default: {
      const auto& staged = *pointer<const StagedOutput>(request.a[2]);
      const auto to = sink(false, call.abi()->limits->max_output_bytes);
      RemoteWriter writer(staged);
      polycodec_output output_of = staged.abi;
      if (output_of.sink != nullptr) output_of.sink = to->abi();
      if (staged.writer != 0) output_of.store = writer.abi();
      call_plugin(instance->encode, instance, call.abi(),
                  pointer<const polycodec_node>(request.a[1]), &output_of);
      writer.flush(call.abi());
      return output(answer, *to);
    }
  }
}

void Worker::serve_stream(const Message& request, Message& answer, RemoteCall& call) {
  const auto* const in = pointer<const polycodec_node>(request.a[1]);
  switch (request.op) {
    case Op::open_reader:
    case Op::open_writer: {
      const auto* const instance = made<polycodec_instance>(request.a[0]);
      auto one = std::make_unique<MadeObject>();
      one->arena = std::make_unique<Arena>();
      {
        RemoteCall opening(call.abi(), one->arena->abi(), true);
        if (request.op == Op::open_reader) {
          polycodec_reader* reader = nullptr;
          call_plugin(instance->open_reader, instance, opening.abi(), &reader);
          check_made(reader);
          one->object = reader;
          one->release = &release_changing<polycodec_reader>;
        } else {
          polycodec_writer* writer = nullptr;
          call_plugin(instance->open_writer, instance, opening.abi(), &writer);
          check_made(writer);
          one->object = writer;
          one->release = &release_changing<polycodec_writer>;
        }
      }
      made_[request.a[2]] = std::move(one);
      return;
    }
    case Op::next: {
      auto* const reader = made_changing<polycodec_reader>(request.a[0]);
      polycodec_step step = *pointer<const polycodec_step>(request.a[1]);
      call_plugin(reader->next, reader, call.abi(), &step);
      answer.a[isolation::field::second] = step.consumed;
      answer.a[isolation::field::third] = step.wanted;
      return value(answer, step.root, call.abi());
    }
    default: {
      auto* const writer = made_changing<polycodec_writer>(request.a[0]);
      const auto to = sink(false, call.abi()->limits->max_output_bytes);
      if (request.op == Op::append)
        call_plugin(writer->append, writer, call.abi(), to->abi(), in);
      else
        call_plugin(writer->finish, writer, call.abi(), to->abi());
      return output(answer, *to);
    }
  }
}

void Worker::serve_filter(const Message& request, Message& answer, RemoteCall& call) {
  const auto* const filter = made<polycodec_filter_instance>(request.a[0]);
  const auto to = sink(request.op == Op::filter_decode, call.abi()->limits->max_memory_bytes);
  const polycodec_bytes given{pointer<const void>(request.a[1]), request.a[2]};
  switch (request.op) {
    case Op::filter_encode:
      call_plugin(filter->encode, filter, call.abi(), pointer<const polycodec_bytes>(request.a[1]),
                  request.a[2], to->abi());
      return output(answer, *to);
    case Op::filter_decode:
      call_plugin(filter->decode, filter, call.abi(), given, request.a[3], to->abi());
      return output(answer, *to);
    default:
      return call_plugin(filter->decoded_size, filter, call.abi(), given,
                         &answer.a[isolation::field::result]);
  }
}

}  // namespace polycodec::sandbox
