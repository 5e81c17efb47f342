// SPDX-License-Identifier: MIT
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/hdf5_store.hpp>

#include "hdf5_common.hpp"
#include "quote.hpp"

#include <algorithm>
#include <limits>

namespace polycodec {

namespace {

using hdf5::Handle;
using hdf5::last_error;
using hdf5::Lock;

struct Refusal {
  Status status = Status::ok;
  const char* why = "";
  explicit operator bool() const noexcept { return status != Status::ok; }
};

/// Why the elements of this type are not plain bytes.
Refusal check_type(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_FLOAT:
    case H5T_BITFIELD:
    case H5T_OPAQUE:
    case H5T_TIME:
      return {};
    case H5T_STRING:
      if (H5Tis_variable_str(type) == 0) return {};
      return {Status::unsupported, "has strings of variable length"};
    case H5T_ENUM:
    case H5T_ARRAY: {
      const Handle base(H5Tget_super(type), &H5Tclose);
      if (!base) return {Status::malformed, "has a broken type"};
      // Arrays cannot nest without limit: the library bounds the size of a type in the file.
      return H5Tget_class(base.get()) == H5T_ARRAY ? Refusal{Status::unsupported, "has arrays of arrays as elements"}
                                                   : check_type(base.get());
    }
    default:
      return {Status::unsupported, "has elements of a type that is not plain bytes"};
  }
}

Refusal check_storage(hid_t dataset) {
  const Handle plist(H5Dget_create_plist(dataset), &H5Pclose);
  if (!plist) return {Status::malformed, "cannot be examined"};
  const H5D_layout_t layout = H5Pget_layout(plist.get());
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
    return {Status::denied, "takes its data from other datasets"};
  if (H5Pget_external_count(plist.get()) != 0) return {Status::denied, "keeps its data in another file"};
  const int filters = H5Pget_nfilters(plist.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t parameters = 0;
    unsigned config = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags, &parameters, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32 &&
        filter != H5Z_FILTER_SZIP && filter != H5Z_FILTER_NBIT && filter != H5Z_FILTER_SCALEOFFSET)
      return {Status::unsupported, "is packed by a filter that is not built into HDF5"};
  }
  return {};
}

/// Bytes of all elements, if that is a number.
bool byte_size(hid_t dataset, hid_t type, std::uint64_t& size) {
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  if (!space) return false;
  const H5S_class_t kind = H5Sget_simple_extent_type(space.get());
  if (kind == H5S_NULL) return size = 0, true;
  const hssize_t points = H5Sget_simple_extent_npoints(space.get());
  if (points < 0) return false;
  return checked_mul(static_cast<std::uint64_t>(points), H5Tget_size(type), size) && size <= SIZE_MAX;
}

Handle access_list() {
  Handle list(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  if (!list) throw Error(Status::memory, "HDF5: " + last_error());
  // A reader of a file that nobody may write to (read-only media, a shared archive) must not fail for want of a lock.
  H5Pset_file_locking(list.get(), false, true);
  return list;
}

}  // namespace

struct Hdf5Store::File {
  Limits limits;
  Handle file, group;
  std::map<std::string, Refusal, std::less<>> refused;
  std::map<std::size_t, std::string> loaded;  // guarded by hdf5::Lock
  std::uint64_t memory = 0;                   // likewise

  explicit File(const Limits& given) : limits(given) {}
  ~File() {
    const Lock lock;
    group.reset();
    file.reset();
  }
};

bool has_hdf5() noexcept {
  return true;
}

Hdf5Store::Hdf5Store(const Source& source, const std::string& group, const Limits& limits, std::uint64_t max_entries)
    : Store(source.name().empty() ? std::string("HDF5 file") : std::string(source.name())), file_(new File(limits)) {
  const std::string_view bytes = source.bytes();
  if (!looks_like_hdf5(bytes))
    throw Error(Status::malformed, "'" + label() + "' is not an HDF5 file", 0).detail("hdf5.magic");
  // The library keeps its own copy of the image.
  if (bytes.size() > limits.max_memory_bytes)
    throw Error(Status::limit, "'" + label() + "' has more than the limit of " +
                                   std::to_string(limits.max_memory_bytes) + " bytes (max_memory_bytes)");
  const Lock lock;
  const Handle access = access_list();
  if (H5Pset_fapl_core(access.get(), std::size_t{1} << 20, false) < 0 ||
      H5Pset_file_image(access.get(), const_cast<char*>(bytes.data()), bytes.size()) < 0)
    throw Error(Status::memory, "HDF5: " + last_error());
  file_->file = Handle(H5Fopen(hdf5::image_name().c_str(), H5F_ACC_RDONLY, access.get()), &H5Fclose);
  if (!file_->file)
    throw Error(Status::malformed, "'" + label() + "' is a broken HDF5 file: " + last_error()).detail("hdf5.broken");
  file_->memory = bytes.size();
  list(group, max_entries);
}

Hdf5Store::Hdf5Store(const std::filesystem::path& path, const std::string& group, const Limits& limits,
                     std::uint64_t max_entries)
    : Store(path.native()), file_(new File(limits)) {
  // So that a missing file is the system's error, and only an existing one is broken.
  static_cast<void>(Source::file(path, limits));
  const Lock lock;
  const Handle access = access_list();
  file_->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), &H5Fclose);
  if (!file_->file)
    throw Error(Status::malformed, "'" + label() + "' cannot be opened as an HDF5 file: " + last_error())
        .detail("hdf5.broken");
  list(group, max_entries);
}

Hdf5Store::~Hdf5Store() = default;

bool Hdf5Store::looks_like_hdf5(std::string_view bytes) noexcept {
  return bytes.substr(0, 8) == std::string_view("\x89HDF\r\n\x1a\n", 8);
}

namespace {

struct Lister {
  hid_t root;
  const std::string& label;
  std::uint32_t max_depth;
  std::uint64_t max_entries;
  std::vector<Store::Entry> entries;
  std::map<std::string, Refusal, std::less<>> refused;
  std::uint64_t seen = 0;

  // Hard links may form cycles and share groups: depth and the number of links seen end that.
  void list(hid_t group, const std::string& prefix, std::uint32_t depth) {
    if (depth > max_depth)
      throw Error(Status::limit,
                  "'" + label + "' has groups nested more than " + std::to_string(max_depth) + " deep");
    std::vector<std::string> names;
    struct Names {
      std::vector<std::string>& all;
      std::uint64_t most;
    } wanted{names, max_entries - std::min(seen, max_entries)};
    hsize_t position = 0;
    const herr_t status = H5Literate(
        group, H5_INDEX_NAME, H5_ITER_INC, &position,
        [](hid_t, const char* name, const H5L_info_t*, void* data) noexcept -> herr_t {
          auto& into = *static_cast<Names*>(data);
          if (into.all.size() >= into.most) return 1;
          try {
            into.all.emplace_back(name);
          } catch (...) {
            return -1;
          }
          return 0;
        },
        &wanted);
    if (status > 0)
      throw Error(Status::limit, "'" + label + "' has more than " + std::to_string(max_entries) + " links");
    if (status < 0)
      throw Error(Status::malformed, "the groups of '" + label + "' cannot be listed: " + last_error())
          .detail("hdf5.broken");
    seen += names.size();
    for (const std::string& leaf : names) add(group, leaf, prefix, depth);
  }

  void add(hid_t group, const std::string& leaf, const std::string& prefix, std::uint32_t depth) {
    const std::string name = prefix + leaf;
    if (unsafe_name_reason(name) != nullptr) return;
    const auto refuse = [&](Refusal why) { refused.emplace(name, why); };
    H5L_info_t link;
    if (H5Lget_info(group, leaf.c_str(), &link, H5P_DEFAULT) < 0) return refuse({Status::malformed, "is broken"});
    if (link.type != H5L_TYPE_HARD) return refuse({Status::denied, "is a soft or external link"});
    const Handle object(H5Oopen(group, leaf.c_str(), H5P_DEFAULT), &H5Oclose);
    if (!object) return refuse({Status::malformed, "cannot be opened"});
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP) return list(object.get(), name + "/", depth + 1);
    if (kind != H5I_DATASET) return refuse({Status::unsupported, "is no dataset"});
    if (const Refusal why = check_storage(object.get())) return refuse(why);
    const Handle type(H5Dget_type(object.get()), &H5Tclose);
    if (!type) return refuse({Status::malformed, "has a broken type"});
    if (const Refusal why = check_type(type.get())) return refuse(why);
    std::uint64_t size = 0;
    if (!byte_size(object.get(), type.get(), size))
      return refuse({Status::malformed, "has a size that is no number"});
    entries.push_back({name, size});
  }
};

}  // namespace

void Hdf5Store::list(const std::string& group, std::uint64_t max_entries) {
  file_->group = Handle(H5Gopen2(file_->file.get(), group.c_str(), H5P_DEFAULT), &H5Gclose);
  if (!file_->group)
    throw Error(Status::not_found, "no group " + quote(group) + " in '" + label() + "': " + last_error());
  constexpr std::uint32_t deep_enough = 64;  // the library recurses as well
  Lister lister{file_->group.get(), label(), std::min(file_->limits.max_depth, deep_enough), max_entries, {}, {}, 0};
  lister.list(file_->group.get(), "", 1);
  file_->refused = std::move(lister.refused);
  set_entries(std::move(lister.entries));
}

std::string_view Hdf5Store::do_read(std::size_t index) {
  const Lock lock;
  if (const auto found = file_->loaded.find(index); found != file_->loaded.end()) return found->second;
  const Entry& entry = entries()[index];
  const auto broken = [&](const std::string& why) {
    throw Error(Status::malformed, "the dataset " + quote(entry.name) + " in '" + label() + "' " + why)
        .detail("hdf5.broken");
  };
  if (entry.size > file_->limits.max_memory_bytes - file_->memory)
    throw Error(Status::limit, "the datasets of '" + label() + "' take more than the limit of " +
                                   std::to_string(file_->limits.max_memory_bytes) + " bytes (max_memory_bytes)");
  const Handle dataset(H5Dopen2(file_->group.get(), entry.name.c_str(), H5P_DEFAULT), &H5Dclose);
  if (!dataset) broken("cannot be opened: " + last_error());
  // What was never written, or compresses too well, may declare far more than the file has.
  constexpr std::uint64_t free_of_ratio = std::uint64_t{1} << 20;
  const std::uint64_t most =
      checked_mul(H5Dget_storage_size(dataset.get()), file_->limits.max_ratio).value_or(UINT64_MAX);
  if (entry.size > free_of_ratio && entry.size > most)
    throw Error(Status::limit, "the dataset " + quote(entry.name) + " in '" + label() + "' declares more than " +
                                   std::to_string(file_->limits.max_ratio) +
                                   " bytes for each stored one (max_ratio)");
  const Handle type(H5Dget_type(dataset.get()), &H5Tclose);
  std::uint64_t size = 0;
  if (!type || !byte_size(dataset.get(), type.get(), size) || size != entry.size) broken("has changed");
  std::string content(static_cast<std::size_t>(size), '\0');
  if (size != 0 && H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, content.data()) < 0)
    broken("cannot be read: " + last_error());
  file_->memory += size;
  return file_->loaded.emplace(index, std::move(content)).first->second;
}

std::string_view Hdf5Store::do_read_unlisted(std::string_view name) {
  if (const auto found = file_->refused.find(name); found != file_->refused.end())
    throw Error(found->second.status, quote(name) + " in '" + label() + "' " + found->second.why)
        .detail("hdf5.refused");
  throw_not_found(name);
}

}  // namespace polycodec
