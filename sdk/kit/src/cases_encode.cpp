// SPDX-License-Identifier: MIT
// What a codec makes of good values.
#include <polycodec/value.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <set>

namespace polycodec::kit {
namespace {

void require_polite_refusal(const Answer& answer) {
  const bool polite = answer.code == POLYCODEC_ERROR_UNSUPPORTED || answer.code == POLYCODEC_ERROR_TYPE ||
                      answer.code == POLYCODEC_ERROR_RANGE;
  require(polite, "a value of the corpus may be refused as unsupported, type or range, not as " + answer.text());
}

/// What a codec may change, and which of it was seen to change.
struct Tolerance {
  ChangeSet allowed;
  std::set<std::string_view> seen;

  explicit Tolerance(const Settings& settings)
      : allowed(settings.changes ? ChangeSet(*settings.changes) : ChangeSet::all()) {}

  std::string compare(const Item& before, const Item& after) {
    std::string why = first_difference(before, after, allowed);
    if (!why.empty()) return why;
    for (const Change& change : known_changes())
      if (allowed.has(change.name) && !first_difference(before, after, allowed.without(change.name)).empty())
        seen.insert(change.name);
    return {};
  }
};

void check_one_round_trip(const Instance& instance, View value, Tolerance& tolerance, unsigned& encoded_values) {
  Encoded bytes;
  const Answer encoded = instance.encode(value, bytes);
  if (!encoded.ok()) return require_polite_refusal(encoded);
  ++encoded_values;
  if (instance.codec().decode == nullptr) return;

  Value decoded;
  const Answer back = instance.decode(bytes, decoded);
  require(back.ok(), "what was encoded does not decode: " + back.text());
  const std::string why = tolerance.compare(Item(value), Item(decoded.view()));
  require(why.empty(), why);

  // Once through, nothing changes any more: no change may be hidden behind those that are allowed.
  Encoded again;
  const Answer second = instance.encode(decoded.view(), again);
  require(second.ok(), "what was decoded does not encode: " + second.text());
  Value last;
  const Answer end = instance.decode(again, last);
  require(end.ok(), "what was encoded the second time does not decode: " + end.text());
  const std::string later = first_difference(Item(decoded.view()), Item(last.view()), ChangeSet());
  require(later.empty(), "the second time through: " + later);
}

void check_round_trip(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Tolerance tolerance(settings);
  Problems problems;
  unsigned encoded = 0;
  for (const CorpusValue& v : corpus_values()) {
    note("corpus value " + v.name);
    problems.run(v.name, [&] { check_one_round_trip(codec.instance, v.value.view(), tolerance, encoded); });
  }
  problems.check();
  if (encoded == 0) skip("the codec encodes no value of the corpus");
  std::string names;
  for (const std::string_view name : tolerance.seen) names += (names.empty() ? "" : ", ") + std::string(name);
  if (!settings.changes && !names.empty()) remark("values come back equal but for " + names);
}

void check_deterministic(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec first(settings, info);
  const OpenedCodec second(settings, info);
  Problems problems;
  for (const CorpusValue& v : corpus_values()) {
    note("corpus value " + v.name);
    Encoded a;
    Encoded b;
    Encoded c;
    problems.run(v.name, [&] {
      if (!first.instance.encode(v.value.view(), a).ok()) return;
      require(first.instance.encode(v.value.view(), b).ok() && a.parts == b.parts,
              "the second time gives other bytes");
      require(second.instance.encode(v.value.view(), c).ok() && a.parts == c.parts,
              "another instance gives other bytes");
    });
  }
  problems.check();
}

void check_small_windows(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  Problems problems;
  for (const CorpusValue& v : corpus_values()) {
    note("corpus value " + v.name);
    problems.run(v.name, [&] {
      Encoded wide;
      Encoded narrow;
      if (!opened.instance.encode(v.value.view(), wide).ok()) return;
      CallSettings small;
      small.small_windows = true;
      require(opened.instance.encode(v.value.view(), narrow, small).ok(), "fails where windows are small");
      require(wide.parts == narrow.parts, "gives other bytes where windows are small");
    });
  }
  problems.check();
}

void check_encoded_size(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  const polycodec_codec& codec = opened.instance.codec();
  if (codec.encoded_size == nullptr) skip("the codec does not know sizes beforehand");
  const Call call;
  Problems problems;
  for (const CorpusValue& v : corpus_values()) {
    note("corpus value " + v.name);
    problems.run(v.name, [&] {
      Encoded encoded;
      const Answer encoding = opened.instance.encode(v.value.view(), encoded);
      std::uint64_t size = 0;
      Answer sizing;
      sizing.error = make_error();
      sizing.code = codec.encoded_size(opened.instance.raw(), call.abi(), v.value.root(), &size, &sizing.error);
      check_answer(sizing, POLYCODEC_NO_OFFSET, "encoded_size");
      if (!encoding.ok() || !sizing.ok()) return;
      require(size == POLYCODEC_SIZE_UNKNOWN || size == encoded.size(),
              "encoded_size said " + std::to_string(size) + ", encode wrote " + std::to_string(encoded.size()));
    });
  }
  problems.check();
}

// A value far deeper than any limit: refused, not a stack overflow.
void check_deep_value(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  constexpr int depth = 200000;
  for (const bool objects : {false, true}) {
    note(objects ? "200000 nested objects" : "200000 nested lists");
    const Value value = Value::build([&](Builder& out) {
      polycodec_node node = Builder::null();
      for (int i = 0; i < depth; ++i) node = objects ? out.object({{"a", node}}) : out.list({node});
      return node;
    });
    Encoded encoded;
    require(!opened.instance.encode(value.view(), encoded).ok(),
            "a value of depth 200000 was encoded although max_depth is 512");
  }
}

// A list that contains a reference to itself: refused, or written with its references; never endless.
void check_cyclic_value(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  const Value value = Value::build([](Builder& out) {
    auto* list = out.allocate<polycodec_node>(1);
    polycodec_node* items;
    *list = out.list(2, &items);
    items[0] = Builder::integer(1);
    items[1] = Builder::reference(list);
    return *list;
  });
  CallSettings bounded;
  bounded.limits.max_output_bytes = 1 << 20;
  Encoded encoded;
  const Answer answer = opened.instance.encode(value.view(), encoded, bounded);
  if (!answer.ok() || opened.instance.codec().decode == nullptr) return;
  Value decoded;
  require(opened.instance.decode(encoded, decoded).ok(), "a cyclic value was encoded and does not decode");
}

// Every place where the sink can refuse.
void check_refusing_sink(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  Problems problems;
  for (const CorpusValue& v : corpus_values()) {
    problems.run(v.name, [&] {
      CallSettings small;
      small.small_windows = true;
      std::uint64_t requests = 0;
      small.requests = &requests;
      Encoded encoded;
      if (!opened.instance.encode(v.value.view(), encoded, small).ok()) return;
      const std::uint64_t total = requests;
      const std::uint64_t step = total / 200 + 1;
      for (std::uint64_t i = 0; i < total; i += step) {
        note("corpus value " + v.name + ", request " + std::to_string(i) + " refused");
        small.refuse_memory_from = i;
        Encoded partial;
        const Answer answer = opened.instance.encode(v.value.view(), partial, small);
        require(!answer.ok(), "encode reports success although the sink refused request " + std::to_string(i));
      }
    });
  }
  problems.check();
}

void check_output_limit(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec opened(settings, info);
  Problems problems;
  for (const CorpusValue& v : corpus_values()) {
    problems.run(v.name, [&] {
      Encoded whole;
      if (!opened.instance.encode(v.value.view(), whole).ok() || whole.size() == 0) return;
      note("corpus value " + v.name);
      CallSettings bounded;
      bounded.small_windows = true;
      bounded.limits.max_output_bytes = whole.size() - 1;
      Encoded cut;
      const Answer answer = opened.instance.encode(v.value.view(), cut, bounded);
      require(answer.code == POLYCODEC_ERROR_LIMIT, "more than max_output_bytes is answered by " +
                                                        (answer.ok() ? std::string("ok") : answer.text()) +
                                                        " instead of limit");
    });
  }
  problems.check();
}

}  // namespace

void add_encode_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  if (!info.can_encode) return;
  const auto add = [&](const char* name, const char* title, void (*check)(const Settings&, const CodecInfo&)) {
    cases.push_back({"codec/" + info.name + "/" + name, title, [&s, info, check] { check(s, info); }});
  };
  add("round-trip", "values of the corpus come back equal, or are refused politely", check_round_trip);
  add("deterministic", "the same value gives the same bytes", check_deterministic);
  add("small-windows", "windows of any size give the same bytes", check_small_windows);
  add("encoded-size", "encoded_size says what encode writes", check_encoded_size);
  add("deep-value", "values deeper than the limit are refused", check_deep_value);
  add("cyclic-value", "a cyclic value does not make encode run forever", check_cyclic_value);
  add("refusing-sink", "a sink that refuses ends the encode with an error", check_refusing_sink);
  add("output-limit", "max_output_bytes is honoured", check_output_limit);
}

}  // namespace polycodec::kit
