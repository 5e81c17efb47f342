// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

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
  const Json manifest = parsed(read_text(settings.manifest));
  std::vector<Entry> entries;
  for (const Kind kind : {Kind::codec, Kind::filter, Kind::store, Kind::function}) {
    const std::string section = std::string(kind_word(kind)) + "s";
    for (const Json& item : list_at(manifest, section.c_str())) {
      Entry entry;
      entry.kind = kind;
      entry.json = item;
      if (kind == Kind::function) {
        entry.can_read = entry.can_write = true;
        for (const Json& part : item)
          if (part.is_string())
            entry.name.append(entry.name.empty() ? "" : ".").append(part.get<std::string>());
      } else {
        entry.name = text_at(item, "name");
        entry.can_read = flag_at(item, "decode");
        entry.can_write = flag_at(item, kind == Kind::store ? "create" : "encode");
      }
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

std::vector<Entry> setups_of(const Settings& settings, const Entry& entry) {
  std::vector<Entry> setups = {entry};
  if (!entry.can_read) return setups;
  for (const Fixture& fixture : fixtures_of(settings, entry.name)) {
    auto setup = setups.begin();
    if (!fixture.options.empty()) {
      const Json options = read_json(fixture.options);
      setup = std::find_if(setups.begin(), setups.end(),
                           [&](const Entry& s) { return s.options == options; });
      if (setup == setups.end()) {
        Entry own = entry;
        own.options = options;
        own.has_corpus = false;
        setup = setups.insert(setups.end(), std::move(own));
      }
    }
    setup->fixtures.push_back(fixture);
  }
  return setups;
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
  const auto arena = std::make_shared<TestArena>(never, never, false);
  Sample sample{std::move(name), nullptr, {}, arena};
  Builder out(arena->abi());
  sample.root = out.root(make(out));
  static const Regions literals = constants_of(kind_word(Kind::codec).data());
  sample.regions = arena->regions();
  sample.regions.add(literals);
  return sample;
}

std::string text_of(const Reading& value) {
  // A value of the library that views the plugin's.
  const Value shown = Value::build([&](Builder& out) {
    for (const polycodec_bytes& region : value.regions.all())
      out.adopt(
          nullptr, [](void*) {}, to_string_view(region));
    return *value.root;
  });
  return shown.text();
}

std::shared_ptr<Call> Subject::make_call(const CallSettings& settings) const {
  auto call = std::make_shared<Call>(plugin_.host(), settings);
  call->others = plugin_.constants();
  if (opening_) call->others.add(opening_->regions());
  return call;
}

void check_value(const polycodec_node* root, const polycodec_limits& limits,
                 const Regions& regions) {
  try {
    invoke(polycodec_node_check, root, &limits, regions.all().data(),
           std::uint64_t{regions.all().size()});
  } catch (const Error& e) {
    if (e.code() == Status::limit || e.detail() == "value.content") throw;
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
  } catch (const Error& e) {  // the value is refused, whoever sees it first
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

SubjectPointer open_subject(const Settings& settings, const Entry& entry) {
  Plugin& plugin = Plugin::get(settings);
  const Json all = settings.options.empty() ? Json() : read_json(settings.options);
  const Json& given = entry.options ? *entry.options : object_at(all, entry.name.c_str());
  const Sample built = build_sample("options", [&](Builder& out) { return node_of(out, given); });
  const polycodec_node* const root = given.is_null() ? nullptr : built.root;
  switch (entry.kind) {
    case Kind::codec:
      return std::make_unique<CodecSubject>(plugin, entry, root);
    case Kind::filter:
      return std::make_unique<FilterSubject>(plugin, entry, root);
    case Kind::store:
      return std::make_unique<StoreSubject>(plugin, entry, built);
    case Kind::function:
      break;
  }
  return std::make_unique<FunctionSubject>(plugin, entry);
}

}  // namespace polycodec::kit
