// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>
#include <polycodec/value.hpp>

#include "subjects.hpp"

#include <algorithm>

namespace polycodec::kit {

std::string_view kind_word(Kind kind) noexcept {
  constexpr std::string_view names[] = {"codec", "filter", "store", "function"};
  return names[static_cast<int>(kind)];
}

std::string Entry::case_name(std::string_view test) const {
  return std::string(kind_word(kind)) + "/" + name + "/" + std::string(test);
}

std::vector<Entry> entries_of(const Settings& settings) {
  const auto manifest = std::make_shared<const Value>(parsed(read_text(settings.manifest)));
  std::vector<Entry> entries;
  const View root = manifest->view();
  if (!root.is_object()) return entries;
  for (const Kind kind : {Kind::codec, Kind::filter, Kind::store, Kind::function}) {
    const auto all = root.find(std::string(kind_word(kind)) + "s");
    if (!all) continue;
    for (const View item : *all) {
      Entry entry{kind, {}, true, false, manifest, Options(item.node())};
      if (kind == Kind::function) {
        for (const View part : item)
          entry.name.append(entry.name.empty() ? "" : ".").append(part.as_string());
      } else {
        entry.name = entry.json.get("name", "");
        entry.can_read = entry.json.get("decode", false);
        entry.can_write = entry.json.get(kind == Kind::store ? "create" : "encode", false);
      }
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

std::size_t Encoded::size() const noexcept {
  std::size_t size = 0;
  for (const auto& part : parts) size += part.second.size();
  return size;
}

std::uint64_t Encoded::largest_part() const noexcept {
  std::uint64_t largest = 0;
  for (const auto& part : parts) largest = std::max<std::uint64_t>(largest, part.second.size());
  return largest;
}

Sample build_sample(std::string name, const std::function<Node(Builder&)>& make) {
  Sample sample{std::move(name), nullptr, {}, std::make_shared<TestArena>(never, never, false)};
  Builder out(sample.arena->abi());
  sample.root = out.root(make(out));
  static const Regions literals = constants_of(kind_word(Kind::codec).data());
  sample.regions = sample.arena->regions();
  sample.regions.add(literals);
  return sample;
}

std::shared_ptr<Call> Subject::make_call(const CallSettings& settings) const {
  auto call = std::make_shared<Call>(plugin_.host(), settings);
  call->others = plugin_.constants();
  if (opening_) call->others.add(opening_->regions());
  return call;
}

void check_value(const polycodec_node* root, const Limits& limits, const Regions& regions) {
  try {
    validate(root, limits, Validation::full, &regions);
  } catch (const Error& e) {
    if (e.code() == Status::limit) throw;
    fail("the value is not valid: " + e.describe());
  }
}

Answer Subject::read(const Encoded& input, Reading& out, const CallSettings& settings) const {
  out.clear();
  const auto call = make_call(settings);
  out.owners.push_back(call);
  Answer answer = do_read(input, out, *call);
  if (!answer.ok()) return out.clear(), answer;
  require(out.root != nullptr, "the plugin returned OK and no value");
  out.regions = call->regions();
  try {
    check_value(out.root, settings.limits, out.regions);
  } catch (const Error& e) {  // a limit: the value is refused, whoever sees it first
    answer.code = fill_error(&answer.error, e);
  }
  return answer;
}

Answer Subject::write(const Sample& value, Encoded& out, const CallSettings& settings) const {
  const auto call = make_call(settings);
  call->others.add(value.regions);
  out.name = value.name;
  out.is_store = takes_store();
  return do_write(value, out, *call);
}

SubjectPointer open_subject(const Settings& settings, const Entry& entry, const Value* options) {
  Plugin& plugin = Plugin::get(settings);
  const Value all = settings.options.empty() ? Value() : parse_json(read_text(settings.options));
  View given = options != nullptr ? options->view() : View();
  if (options == nullptr && all.view().is_object())
    if (const auto found = all.view().find(entry.name)) given = *found;
  switch (entry.kind) {
    case Kind::codec:
      return std::make_unique<CodecSubject>(plugin, entry, given);
    case Kind::filter:
      return std::make_unique<FilterSubject>(plugin, entry, given);
    case Kind::store:
      return std::make_unique<StoreSubject>(plugin, entry, given);
    case Kind::function:
      break;
  }
  return std::make_unique<FunctionSubject>(plugin, entry);
}

}  // namespace polycodec::kit
