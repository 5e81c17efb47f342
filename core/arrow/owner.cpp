// SPDX-License-Identifier: MIT
#include "core/arrow/owner.hpp"

#include <cstring>

namespace polycodec {
namespace {

/// What a structure of the interface owns. Children and the dictionary may be moved out of it by
/// the consumer, who then releases them; what is still here is released with it.
template <class Struct, class Private>
struct Family {
  std::vector<Struct> members;
  std::vector<Struct*> children;
  Struct dictionary{};
  Private* next = nullptr;  // in the list of those that are being released

  void adopt(Struct& out, std::size_t count) {
    members.resize(count);
    for (Struct& member : members) {
      member.release = nullptr;
      children.push_back(&member);
    }
    out.n_children = static_cast<std::int64_t>(count);
    out.children = count == 0 ? nullptr : children.data();
  }

  /// Without recursion: the consumer's stack may be smaller than that of the exporter.
  static void release(Struct* self) {
    Private* open = nullptr;
    const auto take = [&open](Struct& owned) {
      if (owned.release == nullptr) return;
      auto* const mine = static_cast<Private*>(owned.private_data);
      mine->next = open;
      open = mine;
      owned.private_data = nullptr;
      owned.release = nullptr;
    };
    for (take(*self); open != nullptr;) {
      Private* const mine = open;
      open = mine->next;
      for (Struct& member : mine->members) take(member);
      take(mine->dictionary);
      delete mine;
    }
  }
  /// Of what was not handed out.
  ~Family() {
    for (Struct& member : members)
      if (member.release != nullptr) member.release(&member);
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }
};

struct SchemaPrivate : Family<ArrowSchema, SchemaPrivate> {
  std::string format, name, metadata;
};

struct ArrayPrivate : Family<ArrowArray, ArrayPrivate> {
  std::vector<const void*> buffers;
  std::shared_ptr<const void> owner;
};

void put_int(std::string& out, std::size_t value) {
  const auto number = static_cast<std::int32_t>(value);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

void finish_schema(SchemaDraft draft, ArrowSchema& out) {
  out = {};
  auto mine = std::make_unique<SchemaPrivate>();
  mine->format = std::move(draft.format);
  mine->name = std::move(draft.name);
  if (!draft.metadata.empty()) mine->metadata = metadata_text(draft.metadata);
  mine->adopt(out, draft.children.size());
  for (std::size_t i = 0; i < draft.children.size(); ++i)
    finish_schema(std::move(draft.children[i]), mine->members[i]);
  if (!draft.dictionary.empty()) {
    finish_schema(std::move(draft.dictionary[0]), mine->dictionary);
    out.dictionary = &mine->dictionary;
  }
  out.format = mine->format.c_str();
  out.name = mine->name.c_str();
  out.metadata = mine->metadata.empty() ? nullptr : mine->metadata.data();
  out.flags = draft.nullable ? ARROW_FLAG_NULLABLE : 0;
  out.private_data = mine.release();
  out.release = &SchemaPrivate::release;
}

void finish_array(ArrayDraft draft, const std::shared_ptr<const void>& owner, ArrowArray& out) {
  out = {};
  auto mine = std::make_unique<ArrayPrivate>();
  mine->owner = owner;
  mine->buffers = std::move(draft.buffers);
  mine->adopt(out, draft.children.size());
  for (std::size_t i = 0; i < draft.children.size(); ++i)
    finish_array(std::move(draft.children[i]), owner, mine->members[i]);
  if (!draft.dictionary.empty()) {
    finish_array(std::move(draft.dictionary[0]), owner, mine->dictionary);
    out.dictionary = &mine->dictionary;
  }
  out.length = draft.length;
  out.null_count = draft.null_count;
  out.n_buffers = static_cast<std::int64_t>(mine->buffers.size());
  out.buffers = mine->buffers.data();
  out.private_data = mine.release();
  out.release = &ArrayPrivate::release;
}

std::string metadata_text(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  put_int(text, pairs.size());
  for (const auto& [key, value] : pairs) {
    put_int(text, key.size());
    text += key;
    put_int(text, value.size());
    text += value;
  }
  return text;
}

MetadataPairs metadata_pairs(const char* metadata) {
  MetadataPairs pairs;
  if (metadata == nullptr) return pairs;
  const auto next = [&metadata] {
    std::int32_t number;
    std::memcpy(&number, metadata, sizeof number);
    metadata += sizeof number;
    return number;
  };
  const auto text = [&] {
    const std::int32_t size = next();
    const std::string_view part(metadata, static_cast<std::size_t>(size < 0 ? 0 : size));
    metadata += part.size();
    return part;
  };
  for (std::int32_t left = next(); left > 0; --left) {
    const std::string_view name = text(), value = text();
    pairs.emplace_back(name, value);
  }
  return pairs;
}

std::string_view find_metadata(const MetadataPairs& pairs, std::string_view key) {
  for (const auto& [name, value] : pairs)
    if (name == key) return value;
  return {};
}

std::string_view find_metadata(const char* metadata, std::string_view key) {
  return find_metadata(metadata_pairs(metadata), key);
}

}  // namespace polycodec
