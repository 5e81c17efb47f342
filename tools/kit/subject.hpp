// SPDX-License-Identifier: MIT
// What is under test: a codec, a filter, a store format or a function, each as something that reads
// bytes and writes values. The cases see no other difference between them.
#pragma once

#include <polycodec/quote.hpp>
#include <polycodec/view.hpp>

#include "case.hpp"
#include "fixtures.hpp"
#include "json.hpp"
#include "plugin.hpp"
#include "settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

enum class Kind { codec, filter, store, function };  // in the order of the manifest

/// "codec", "filter", "store" or "function".
std::string_view kind_word(Kind kind) noexcept;

/// An object of the plugin, as its manifest describes it, and what it is tested with.
struct Entry {
  Kind kind = Kind::codec;
  std::string name;
  bool can_read = false;
  bool can_write = false;
  Json json;  ///< what the manifest says about it
  /// To open it with: null for its defaults; nothing for those of the run, else the defaults.
  std::optional<Json> options;
  std::vector<Fixture> fixtures;  ///< that are read with these options
  bool has_corpus = true;         ///< values of the corpus are written, too
  /// The name of a case, such as "codec/ply/truncation".
  std::string case_name(std::string_view test) const;
};

/// All codecs, filters, store formats and functions of the manifest; none if it is not JSON.
std::vector<Entry> entries_of(const Settings& settings);

/// `entry` with its fixtures, and again for each options that fixtures bring, with these fixtures.
std::vector<Entry> setups_of(const Settings& settings, const Entry& entry);

/// Named bytes.
using Parts = std::vector<std::pair<std::string, std::string>>;

/// Bytes, or named blobs, of one value.
struct Encoded {
  std::string name;  ///< of the value they come from
  bool is_store = false;
  Parts parts;  ///< bytes: one part without a name
  bool is_fixture = false;

  std::string_view bytes() const noexcept {
    return parts.empty() ? std::string_view() : parts.front().second;
  }
  std::size_t size() const noexcept;
  std::uint64_t largest_part() const noexcept;
};

/// A value that was read, with all that it points to.
struct Reading {
  const polycodec_node* root = nullptr;
  Regions regions;
  std::vector<std::shared_ptr<const void>> owners;  ///< die in reverse order
  Reading() = default;
  Reading(Reading&&) = default;
  Reading& operator=(Reading&&) = default;
  ~Reading() { clear(); }
  void clear() {
    root = nullptr;
    while (!owners.empty()) owners.pop_back();
  }
  View view() const noexcept { return root == nullptr ? View() : View(root); }
};

/// A value to write, and its memory.
struct Sample {
  std::string name;
  const polycodec_node* root = nullptr;
  Regions regions;
  std::shared_ptr<const void> owner;
  View view() const noexcept { return View(root); }
};
Sample build_sample(std::string name, const std::function<Node(Builder&)>& make);
/// The text of a value that the plugin made.
std::string text_of(const Reading& value);

/// Something of the plugin, opened. [thread-safe]
class Subject {
 public:
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  const Entry& entry() const noexcept { return entry_; }
  Plugin& plugin() const noexcept { return plugin_; }

  /// Reads `input` to the end. Checks the promises of the answer and, on success, that the value is
  /// valid, within the limits, and that each pointer points into memory of the call. Text and
  /// booleans that are not valid are an answer, `invalid`: hosts refuse them. Throws Failure.
  Answer read(const Encoded& input, Reading& out, const CallSettings& settings = {}) const;
  /// Writes a value. Checks the promises of the answer and of the sinks. Throws Failure.
  Answer write(const Sample& value, Encoded& out, const CallSettings& settings = {}) const;
  /// Values to write, without those of fixtures.
  virtual std::vector<Sample> values() const = 0;
  /// True if it reads and writes blobs instead of bytes.
  virtual bool takes_store() const noexcept { return false; }
  /// Calls sniff(). Throws Skip if there is none.
  virtual std::int32_t sniff(polycodec_call*, const polycodec_input&, polycodec_sniff&,
                             polycodec_error*) const = 0;

  /// A call whose value may point to constants of the plugin and to what open() made.
  std::shared_ptr<Call> make_call(const CallSettings& settings = {}) const;

 protected:
  Subject(Plugin& plugin, Entry entry) : plugin_(plugin), entry_(std::move(entry)) {}
  virtual Answer do_read(const Encoded& input, Reading& out, Call& call) const = 0;
  virtual Answer do_write(const Sample& value, Encoded& out, Call& call) const = 0;
  std::shared_ptr<Call> opening_;

 private:
  Plugin& plugin_;
  Entry entry_;
};

/// A subject that is an object of one of the plugin's tables.
template <class Object>
class SubjectOf : public Subject {
 public:
  const Object& object() const noexcept { return object_; }
  std::int32_t sniff(polycodec_call* call, const polycodec_input& input, polycodec_sniff& sniff,
                     polycodec_error* error) const override {
    if constexpr (requires(const Object& o) { o.sniff; })
      if (object_.sniff != nullptr) return object_.sniff(&object_, call, &input, &sniff, error);
    skip("there is no sniff function");
  }

 protected:
  SubjectOf(Plugin& plugin, const Entry& entry, const Object& object)
      : Subject(plugin, entry), object_(object) {}

 private:
  const Object& object_;
};

/// A subject that is opened. Throws Failure if it cannot be.
template <class Object, class Instance>
class OpenedSubject : public SubjectOf<Object> {
 public:
  ~OpenedSubject() override {
    if (instance_ != nullptr) instance_->release(instance_);
  }
  const Instance& instance() const noexcept { return *instance_; }

 protected:
  OpenedSubject(Plugin& plugin, const Entry& entry, const Object& object,
                const polycodec_node* options)
      : SubjectOf<Object>(plugin, entry, object) {
    this->opening_ = this->make_call();
    const Answer answer = this->opening_->run("open", 0, [&](polycodec_error* error) {
      return object.open(&object, this->opening_->abi(), options, &instance_, error);
    });
    if (!answer.ok()) fail("open failed: " + answer.text());
    if (instance_ == nullptr) fail("open returned OK and no instance");
  }

 private:
  const Instance* instance_ = nullptr;
};

/// Checks that a value is valid and within the limits, and that each pointer points into `regions`.
/// Throws Failure; an Error for what a host refuses in a value of the right structure: more than
/// the limits, and text and booleans that are not valid.
void check_value(const polycodec_node* root, const polycodec_limits& limits,
                 const Regions& regions);

using SubjectPointer = std::unique_ptr<Subject>;
/// Opens what `entry` describes. Throws Failure.
SubjectPointer open_subject(const Settings& settings, const Entry& entry);

/// The object of this name in a table of the plugin. Throws Failure.
template <class Table>
const auto& find_object(const Table* table, std::string_view name) {
  for (std::uint32_t i = 0; table != nullptr && i < table->count; ++i)
    if (name == table->items[i]->name) return *table->items[i];
  fail("the plugin does not offer " + quote(name) + ", which its manifest names");
}

}  // namespace polycodec::kit
