// SPDX-License-Identifier: MIT
// What only filters, only store formats and only functions do.
#include <polycodec/error.hpp>

#include "cases.hpp"
#include "subjects.hpp"

#include <algorithm>
#include <memory>

namespace polycodec::kit {
namespace {

// -- filters --------------------------------------------------------------------------------------

/// Calls check(filter, bytes, encoded) for each value that is written and read.
template <class Check>
void for_each_filtered(const Subject& subject, Check check) {
  const auto& filter = static_cast<const FilterSubject&>(subject);
  for_each_value(subject, "it writes nothing", [&](const Sample& value) {
    Encoded encoded;
    if (!subject.write(value, encoded).ok()) return 0u;
    check(filter, value.view().as_bytes(), encoded.bytes());
    return 1u;
  });
}

// Where the size is known the window is the destination; another size is an error.
void check_expected_size(const Subject& subject, const Settings&) {
  for_each_filtered(subject, [](const FilterSubject& filter, std::string_view bytes,
                                std::string_view encoded) {
    const auto decode = [&](std::uint64_t expected, std::string& out) {
      const auto call = filter.make_call();
      return filter.decode(encoded, expected, out, *call);
    };
    std::string out;
    const Answer right = decode(bytes.size(), out);
    require(right.ok() && out == bytes, "with the right size: " + right.text());
    for (const std::uint64_t wrong : {bytes.size() - 1, bytes.size() + 1}) {
      if (wrong == UINT64_MAX) continue;
      const Answer answer = decode(wrong, out);
      require(answer.code == POLYCODEC_ERROR_MALFORMED,
              std::to_string(wrong) + " bytes are expected where there are " +
                  std::to_string(bytes.size()) + ": " + answer.text() + " instead of malformed");
    }
  });
}

void check_pieces(const Subject& subject, const Settings&) {
  for_each_filtered(subject, [](const FilterSubject& filter, std::string_view bytes,
                                std::string_view) {
    bytes = bytes.substr(0, 3000);
    std::vector<polycodec_bytes> pieces;
    for (std::size_t i = 0; i < bytes.size(); ++i) pieces.push_back(to_bytes(bytes.substr(i, 1)));
    const auto call = filter.make_call();
    call->others.add(bytes);
    std::string encoded;
    const Answer answer = filter.encode(pieces, encoded, *call);
    require(answer.ok(), "in pieces of one byte: " + answer.text());
    if (!filter.entry().can_read) return;
    std::string out;
    const Answer back = filter.decode(encoded, POLYCODEC_SIZE_UNKNOWN, out, *filter.make_call());
    require(back.ok() && out == bytes, "pieces of one byte do not come back");
  });
}

// -- stores ---------------------------------------------------------------------------------------

StoreWriter open_writer(const StoreSubject& store, bool edit, TestOutputFile& file, Call& call) {
  StoreWriter writer(nullptr, nullptr);
  const Answer answer = store.open_writer(edit, file, writer, call);
  require(answer.ok(), std::string(edit ? "edit" : "create") + " failed: " + answer.text());
  return writer;
}

void require_commit(polycodec_store_writer& writer, Call& call) {
  const Answer answer = StoreSubject::commit(writer, call);
  require(answer.ok(), "commit failed: " + answer.text());
}

/// The names of the blobs in a file.
std::vector<std::string> names_in(const Subject& store, const std::string& file) {
  Encoded encoded;
  encoded.parts.emplace_back(std::string(), file);
  Reading value;
  const Answer answer = store.read(encoded, value);
  require(answer.ok(), "the file is not read: " + answer.text());
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < value.view().size(); ++i) names.emplace_back(value.view().name(i));
  std::sort(names.begin(), names.end());
  return names;
}

void check_names(const Subject& subject, const Settings&) {
  const auto& store = static_cast<const StoreSubject&>(subject);
  const auto call = subject.make_call();
  TestOutputFile file;
  const StoreWriter writer = open_writer(store, false, file, *call);
  require(StoreSubject::write_blob(*writer, "a", "1", *call).ok(), "a blob is not written");
  for (const char* name : {"a", "", "/b", "../b", "b/../c", "b//c", "./b", "b/"}) {
    const Answer answer = StoreSubject::write_blob(*writer, name, "2", *call);
    require(answer.code == POLYCODEC_ERROR_INVALID,
            "a blob called " + quote(name) + ", which is taken or not safe: " + answer.text() +
                " instead of invalid");
  }
}

void check_edit(const Subject& subject, const Settings&) {
  const auto& store = static_cast<const StoreSubject&>(subject);
  if ((store.object().capabilities & POLYCODEC_CAN_EDIT) == 0) skip("it edits no stores");
  const auto call = subject.make_call();
  TestOutputFile file;
  {
    const StoreWriter writer = open_writer(store, false, file, *call);
    for (const char* name : {"a", "b", "c"})
      require(StoreSubject::write_blob(*writer, name, name, *call).ok(), "a blob is not written");
    require_commit(*writer, *call);
  }
  const std::string before = file.bytes();
  for (const bool commit : {true, false}) {
    TestOutputFile copy(before);
    {
      const StoreWriter writer = open_writer(store, true, copy, *call);
      require(writer->base != nullptr, "the writer of an edit has no base");
      std::uint64_t i = 0;
      const Answer removed = call->run("remove", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
        const auto code = writer->base->find(writer->base, call->abi(), to_bytes("b"), &i, error);
        if (code != POLYCODEC_OK) return code;
        return writer->remove(writer.get(), call->abi(), i, {nullptr, 0}, error);
      });
      require(removed.ok(), "a blob is not removed: " + removed.text());
      require(StoreSubject::write_blob(*writer, "d", "d", *call).ok(), "a blob is not added");
      if (commit) require_commit(*writer, *call);
    }
    const std::vector<std::string> expected =
        commit ? std::vector<std::string>{"a", "c", "d"} : std::vector<std::string>{"a", "b", "c"};
    require(names_in(subject, copy.bytes()) == expected,
            commit ? "after an edit the store holds other blobs"
                   : "an edit without commit changed the store");
  }
}

// -- functions ------------------------------------------------------------------------------------

// Any arguments within the bounds: any answer will do, if it keeps the contract.
void check_arguments(const Subject& subject, const Settings&) {
  const auto& tested = static_cast<const FunctionSubject&>(subject);
  const polycodec_function& function = tested.object();
  const std::uint32_t most = std::min(function.max_args, function.min_args + 3);
  Problems problems;
  for (const CorpusEntry& e : all_entries())
    for (std::uint32_t count = function.min_args; count <= most; ++count)
      for (const bool with_kwargs : {false, true}) {
        note("calling with " + std::to_string(count) + " of " + std::string(e.name));
        problems.run(e.name, [&] {
          Node kwargs{};
          const Sample args = build_sample(std::string(e.name), [&](Builder& out) {
            kwargs = out.object({{"no such keyword", e.make(out)}});
            ListBuilder list = out.list();
            for (std::uint32_t i = 0; i < count; ++i) list.push(e.make(out));
            return Node(list);
          });
          const auto call = subject.make_call();
          call->others.add(args.regions);
          const polycodec_node* result = nullptr;
          const Answer answer =
              tested.call_with(*args.root, with_kwargs ? &kwargs : nullptr, &result, *call);
          if (!answer.ok()) return;
          require(result != nullptr, "the function returned OK and no result");
          try {
            check_value(result, usual_limits, call->regions());
          } catch (const Error&) {  // a host refuses it
          }
        });
      }
  problems.check();
}

}  // namespace

std::span<const SubjectCase> kind_cases() {
  static constexpr SubjectCase cases[] = {
      {for_filters | reading | writing, "expected-size",
       "a known size is the size of the result, or an error", check_expected_size},
      {for_filters | writing, "pieces", "pieces of one byte come back as the whole", check_pieces},
      {for_stores | writing, "names", "names that are taken or not safe are rejected", check_names},
      {for_stores | reading | writing, "edit",
       "an edit changes what it names, and nothing without commit", check_edit},
      {for_functions, "arguments", "any arguments are an error with a message, or a valid result",
       check_arguments},
  };
  return cases;
}

}  // namespace polycodec::kit
