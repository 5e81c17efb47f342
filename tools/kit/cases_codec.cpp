// SPDX-License-Identifier: MIT
// What only codecs do: sizes beforehand, deep and cyclic values, streams, projection.
#include <polycodec/builder.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "subjects.hpp"

#include <algorithm>

namespace polycodec::kit {
namespace {

const CodecSubject& codec_of(const Subject& subject) {
  return static_cast<const CodecSubject&>(subject);
}

void check_encoded_size(const Subject& subject, const Settings&) {
  const polycodec_instance& instance = codec_of(subject).instance();
  if (instance.encoded_size == nullptr) skip("sizes are not known beforehand");
  for_each_value(subject, "it writes no value whose size it knows", [&](const Sample& value) {
    Encoded encoded;
    const Answer encoding = subject.write(value, encoded);
    std::uint64_t size = 0;
    const auto call = subject.make_call();
    const Answer sizing =
        call->run("encoded_size", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
          return instance.encoded_size(&instance, call->abi(), value.root, &size, error);
        });
    if (!encoding.ok() || !sizing.ok()) return 0u;
    require(size == POLYCODEC_SIZE_UNKNOWN || size == encoded.size(),
            "encoded_size said " + std::to_string(size) + ", encode wrote " +
                std::to_string(encoded.size()));
    return 1u;
  });
}

/// Containers in each other, for words such as "64 nested lists".
Sample nested(int depth, bool objects) {
  return build_sample(std::to_string(depth) + (objects ? " nested objects" : " nested lists"),
                      [&](Builder& out) {
                        Node node = Builder::null();
                        for (int i = 0; i < depth; ++i)
                          node = objects ? out.object({{"a", node}}) : out.list({node});
                        return node;
                      });
}

Sample deep_value(bool objects) {
  return nested(200000, objects);
}

// A value far deeper than any limit: refused, not a stack overflow.
void check_deep_value(const Subject& subject, const Settings&) {
  for (const bool objects : {false, true}) {
    const Sample value = deep_value(objects);
    note(value.name);
    Encoded encoded;
    require(!subject.write(value, encoded).ok(), value.name + " were written under max_depth 512");
  }
}

void check_write_depth(const Subject& subject, const Settings&) {
  unsigned written = 0;
  for (const bool objects : {false, true}) {
    const Sample value = nested(64, objects);
    Encoded encoded;
    if (!subject.write(value, encoded).ok()) continue;
    ++written;
    CallSettings tight, wide;
    tight.limits.max_depth = 10;
    const Answer answer = subject.write(value, encoded, tight);
    require(answer.code == POLYCODEC_ERROR_LIMIT,
            value.name + " under max_depth 10: " + answer.text() + ", where a limit was expected");
    wide.limits.max_depth = 100;
    const Answer allowed = subject.write(value, encoded, wide);
    require(allowed.ok(), value.name + " under max_depth 100: " + allowed.text());
    if (!subject.entry().can_read) continue;
    Reading read;
    const Answer back = subject.read(encoded, read, wide);
    require(back.ok(), value.name + " are not read under max_depth 100: " + back.text());
  }
  if (written == 0) skip("the codec writes no nested lists or objects");
}

// The same without a limit of depth: recursion ends where the stack does.
void check_small_stack(const Subject& subject, const Settings&) {
  CallSettings small;
  small.limits.max_depth = UINT32_MAX;
  small.small_stack = true;
  for (const bool objects : {false, true}) {
    const Sample value = deep_value(objects);
    note("writing " + value.name + " on a small stack");
    Encoded encoded;
    const Answer answer = subject.write(value, encoded, small);
    if (answer.ok() && subject.entry().can_read) {
      note("reading " + value.name + " on a small stack");
      Reading read;
      subject.read(encoded, read, small);
    }
  }
}

// A list that contains a reference to itself: refused, or written with its references; never
// endless.
void check_cyclic_value(const Subject& subject, const Settings&) {
  const Sample value = build_sample("a cycle", [](Builder& out) {
    Node* list = out.allocate<Node>(1);
    Node* items = out.allocate<Node>(2);
    *list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 2);
    list->as.nodes = items;
    items[0] = Builder::integer(1);
    items[1] = Builder::reference(list);
    return *list;
  });
  CallSettings bounded;
  bounded.limits.max_output_bytes = 1 << 20;
  Encoded encoded;
  if (!subject.write(value, encoded, bounded).ok() || !subject.entry().can_read) return;
  Reading decoded;
  require(subject.read(encoded, decoded).ok(), "a cyclic value was written and is not read");
}

// -- streams --------------------------------------------------------------------------------------

/// A stream reader of the codec.
class Reader {
 public:
  explicit Reader(const CodecSubject& codec) : codec_(codec), opening_(codec.make_call()) {
    const polycodec_instance& instance = codec.instance();
    const Answer answer = opening_->run("open_reader", 0, [&](polycodec_error* error) {
      return instance.open_reader(&instance, opening_->abi(), &reader_, error);
    });
    if (!answer.ok() || reader_ == nullptr) fail("open_reader failed: " + answer.text());
  }
  ~Reader() { reader_->release(reader_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Gives the reader bytes. The value, if there is one, is checked and kept.
  Answer next(std::string_view bytes, bool final, polycodec_step& step) {
    const auto file = std::make_shared<TestFile>(bytes);
    const auto call = codec_.make_call();
    call->others.add(opening_->regions());
    call->others.add(file->bytes());
    step = {};
    step.struct_size = sizeof step;
    step.final = final ? 1 : 0;
    step.bytes = to_bytes(file->bytes());
    const Answer answer = call->run("next", bytes.size(), [&](polycodec_error* error) {
      return reader_->next(reader_, call->abi(), &step, error);
    });
    if (!answer.ok()) return answer;
    require(step.consumed <= bytes.size(), "next consumed " + std::to_string(step.consumed) +
                                               " of " + std::to_string(bytes.size()) + " bytes");
    if (step.root == nullptr) return answer;
    kept_.push_back(file);
    kept_.push_back(call);
    check_value(step.root, call->settings().limits, call->regions());
    root = step.root;
    return answer;
  }
  const polycodec_node* root = nullptr;  ///< the last value

 private:
  const CodecSubject& codec_;
  std::shared_ptr<Call> opening_;
  polycodec_reader* reader_ = nullptr;
  std::vector<std::shared_ptr<const void>> kept_;
};

/// Reads the stream with pieces of `size` bytes, and returns how many values it held.
unsigned read_in_pieces(const CodecSubject& codec, std::string_view stream, std::size_t size,
                        const View& expected) {
  Reader reader(codec);
  unsigned values = 0;
  std::size_t end = 0;
  for (std::size_t at = 0; at < stream.size() || end < stream.size();) {
    end = std::min(stream.size(), end + size);
    const std::string_view bytes = stream.substr(at, end - at);
    polycodec_step step{};
    const Answer answer = reader.next(bytes, end == stream.size(), step);
    require(answer.ok(),
            std::to_string(end) + " bytes of a good stream are rejected: " + answer.text());
    at += static_cast<std::size_t>(step.consumed);
    if (step.root != nullptr) {
      ++values;
      require(step.consumed != 0 || at == stream.size(), "a value took no bytes");
      const std::string why = first_difference(expected, View(reader.root), ChangeSet());
      require(why.empty(), "a value of the stream differs: " + why);
      end = at;  // others may be in the bytes that are left
    } else if (end == stream.size()) {
      require(at == stream.size(), "the end of the stream inside a value is not an error");
      break;
    } else {
      require(step.consumed != 0 || step.wanted > bytes.size(),
              "with " + std::to_string(bytes.size()) + " bytes, " + std::to_string(step.wanted) +
                  " are wanted");
    }
  }
  return values;
}

void check_read_stream(const Subject& subject, const Settings&) {
  const CodecSubject& codec = codec_of(subject);
  if ((codec.object().capabilities & POLYCODEC_CAN_READ_STREAM) == 0)
    skip("the codec reads no streams");
  for_each_sample(subject, "it reads no input that is one value", [&](const Encoded& sample) {
    Reading whole;
    if (sample.size() == 0 || !subject.read(sample, whole).ok()) return 0u;
    const std::string one(sample.bytes());
    if (read_in_pieces(codec, one, one.size(), whole.view()) != 1) return 0u;  // several values
    const std::size_t small = 1 + one.size() / tries_for(one.size(), 2048);
    for (const std::size_t size : {small, 7 * small, 2 * one.size()})
      require(read_in_pieces(codec, one + one, size, whole.view()) == 2,
              "two values in pieces of " + std::to_string(size) + " bytes are not two");
    if (one.size() == 1) return 1u;
    Reader cut(codec);
    polycodec_step step{};
    const Answer answer = cut.next(one.substr(0, one.size() - 1), true, step);
    require(!answer.ok() || step.root != nullptr,
            "the end of the stream inside a value is not an error");
    return 1u;
  });
}

void check_write_stream(const Subject& subject, const Settings&) {
  const CodecSubject& codec = codec_of(subject);
  if ((codec.object().capabilities & POLYCODEC_CAN_WRITE_STREAM) == 0)
    skip("the codec writes no streams");
  const polycodec_instance& instance = codec.instance();
  for_each_value(subject, "it writes no value", [&](const Sample& value) {
    Encoded alone;
    if (!subject.write(value, alone).ok()) return 0u;
    const auto call = subject.make_call();
    call->others.add(value.regions);
    polycodec_writer* writer = nullptr;
    const auto run = [&](const char* name, auto function) {
      const Answer answer = call->run(name, POLYCODEC_NO_OFFSET, function);
      require(answer.ok(), std::string(name) + " failed: " + answer.text());
    };
    run("open_writer", [&](polycodec_error* error) {
      return instance.open_writer(&instance, call->abi(), &writer, error);
    });
    const std::unique_ptr<polycodec_writer, void (*)(polycodec_writer*)> owned(
        writer, [](polycodec_writer* w) { w->release(w); });
    TestSink sink(call->sink_settings());
    for (int i = 0; i < 2; ++i)
      run("append", [&](polycodec_error* error) {
        return writer->append(writer, call->abi(), sink.abi(), value.root, error);
      });
    run("finish", [&](polycodec_error* error) {
      return writer->finish(writer, call->abi(), sink.abi(), error);
    });
    sink.check(call->regions());
    const std::string stream = sink.bytes();
    Reading whole;
    if ((codec.object().capabilities & POLYCODEC_CAN_READ_STREAM) == 0 ||
        !subject.read(alone, whole).ok())
      return 1u;
    const std::size_t small = 3 * (1 + stream.size() / tries_for(stream.size(), 2048));
    require(read_in_pieces(codec, stream, small, whole.view()) == 2,
            "two values that were appended are not read as two");
    return 1u;
  });
}

// -- projection -----------------------------------------------------------------------------------

// A codec may leave out what is not named; what is named is as it was.
void check_projection(const Subject& subject, const Settings&) {
  for_each_sample(subject, "it reads nothing that it wrote", [&](const Encoded& sample) {
    Reading whole;
    if (!subject.read(sample, whole).ok()) return 0u;
    const bool object = whole.view().is_object() && whole.view().size() != 0;
    const std::string name(object ? whole.view().name() : std::string_view());
    const std::string path = "$." + name;
    const polycodec_bytes paths[] = {to_bytes(path)};
    polycodec_projection projection{};
    projection.struct_size = sizeof projection;
    projection.n_paths = object ? 1 : 0;
    projection.paths = paths;
    projection.n_rows = UINT64_MAX;
    CallSettings projected;
    projected.projection = &projection;
    Reading part;
    const Answer answer = subject.read(sample, part, projected);
    require(answer.ok(), "rejected with a projection: " + answer.text());
    const auto named = object ? part.view().find(name) : part.view();
    require(named.has_value(), "lacks the member that the projection names");
    const std::string why =
        first_difference(object ? whole.view().child() : whole.view(), *named, ChangeSet());
    require(why.empty(), "the part that the projection names differs: " + why);
    return 1u;
  });
}

}  // namespace

std::span<const SubjectCase> codec_cases() {
  static constexpr SubjectCase cases[] = {
      {for_codecs | writing, "encoded-size", "encoded_size says what encode writes",
       check_encoded_size},
      {for_codecs | writing, "encode-depth", "encode honors max_depth", check_write_depth},
      {for_codecs | writing, "deep-value", "values deeper than the limit are rejected",
       check_deep_value},
      {for_codecs | writing, "small-stack", "recursion ends before the stack does",
       check_small_stack},
      {for_codecs | writing, "cyclic-value", "a cyclic value does not make encode run forever",
       check_cyclic_value},
      {for_codecs | reading, "stream", "values are found in a stream that comes in pieces",
       check_read_stream},
      {for_codecs | writing, "write-stream", "values that were appended are read again",
       check_write_stream},
      {for_codecs | reading, "projection", "a projection leaves out, and changes nothing",
       check_projection},
  };
  return cases;
}

}  // namespace polycodec::kit
