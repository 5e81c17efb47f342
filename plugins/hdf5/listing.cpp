// SPDX-License-Identifier: MIT
#include "listing.hpp"

#include <base/blob_name.hpp>

#include <algorithm>

namespace polycodec::hdf5 {

namespace {

// What the library does to open a link, in units of work.
constexpr std::uint64_t link_cost = 2000;
constexpr std::size_t max_owner_bytes = 4096;

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
      return H5Tget_class(base.get()) == H5T_ARRAY
                 ? Refusal{Status::unsupported, "has arrays of arrays as elements"}
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
  if (H5Pget_external_count(plist.get()) != 0)
    return {Status::denied, "keeps its data in another file"};
  const int filters = H5Pget_nfilters(plist.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t parameters = 0;
    unsigned config = 0;
    const H5Z_filter_t filter = H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags,
                                               &parameters, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
        filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SZIP && filter != H5Z_FILTER_NBIT &&
        filter != H5Z_FILTER_SCALEOFFSET)
      return {Status::unsupported, "is packed by a filter that is not built into HDF5"};
  }
  return {};
}

/// The owner mark of a dataset, or "" if it has none that we wrote.
std::string owner_of(hid_t dataset) {
  if (H5Aexists(dataset, owner_attribute) <= 0) return {};
  const Handle attribute(H5Aopen(dataset, owner_attribute, H5P_DEFAULT), &H5Aclose);
  if (!attribute) return {};
  const Handle type(H5Aget_type(attribute.get()), &H5Tclose);
  const Handle space(H5Aget_space(attribute.get()), &H5Sclose);
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) != 0 || H5Sget_simple_extent_npoints(space.get()) != 1 ||
      H5Tget_size(type.get()) > max_owner_bytes)
    return {};
  std::string owner(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), owner.data()) < 0) return {};
  owner.resize(std::min(owner.find('\0'), owner.size()));
  return owner;
}

struct Lister {
  HostFile& file;
  const Call& call;
  std::uint32_t max_depth;
  Listing found;

  // Hard links may form cycles and share groups: depth and the budget end that.
  void list(hid_t group, const std::string& prefix, std::uint32_t depth) {
    if (depth > max_depth)
      throw Error(Status::limit, "groups are nested more than " + std::to_string(max_depth) +
                                     " deep: raise max_depth");
    struct Names {
      const Call& call;
      std::vector<std::string> all;
      std::optional<Error> failure;
    } names{call, {}, {}};
    hsize_t position = 0;
    const herr_t status = H5Literate(
        group, H5_INDEX_NAME, H5_ITER_INC, &position,
        [](hid_t, const char* name, const H5L_info_t*, void* data) noexcept -> herr_t {
          auto& into = *static_cast<Names*>(data);
          try {
            into.call.tick(link_cost);
            into.all.emplace_back(name);
            return 0;
          } catch (const Error& e) {
            into.failure = e;
          } catch (const std::exception& e) {
            into.failure.emplace(Status::memory, e.what());
          }
          return -1;
        },
        &names);
    if (names.failure) throw *names.failure;
    if (status < 0)
      file.throw_failure(
          Error(Status::malformed, "the groups of the file cannot be listed: " + last_error())
              .detail("hdf5.broken"));
    for (const std::string& leaf : names.all) add(group, leaf, prefix, depth);
  }

  void add(hid_t group, const std::string& leaf, const std::string& prefix, std::uint32_t depth) {
    const std::string name = prefix + leaf;
    if (blob_name_fault(name) != nullptr) return;
    const auto refuse = [&](Refusal why) { found.refused.emplace(name, why); };
    H5L_info_t link;
    if (H5Lget_info(group, leaf.c_str(), &link, H5P_DEFAULT) < 0)
      return refuse({Status::malformed, "is broken"});
    if (link.type != H5L_TYPE_HARD) return refuse({Status::denied, "is a soft or external link"});
    const Handle object(H5Oopen(group, leaf.c_str(), H5P_DEFAULT), &H5Oclose);
    if (!object) return refuse({Status::malformed, "cannot be opened"});
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP) return list(object.get(), name + "/", depth + 1);
    if (kind != H5I_DATASET) return refuse({Status::unsupported, "is not a dataset"});
    if (const Refusal why = check_storage(object.get())) return refuse(why);
    const Handle type(H5Dget_type(object.get()), &H5Tclose);
    if (!type) return refuse({Status::malformed, "has a broken type"});
    if (const Refusal why = check_type(type.get())) return refuse(why);
    std::uint64_t size = 0;
    if (!byte_size(object.get(), type.get(), size))
      return refuse({Status::malformed, "has a size that is not a number"});
    found.datasets.push_back({name, owner_of(object.get()), size});
  }
};

}  // namespace

bool byte_size(hid_t dataset, hid_t type, std::uint64_t& size) {
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  if (!space) return false;
  const H5S_class_t kind = H5Sget_simple_extent_type(space.get());
  if (kind == H5S_NULL) return size = 0, true;
  const hssize_t points = H5Sget_simple_extent_npoints(space.get());
  if (points < 0) return false;
  return checked_mul(static_cast<std::uint64_t>(points), H5Tget_size(type), size) &&
         size <= SIZE_MAX;
}

Listing list_datasets(HostFile& file, const Call& call, hid_t group) {
  constexpr std::uint32_t deep_enough = 64;  // the library recurses as well
  Lister lister{file, call, std::min(call.limits().max_depth, deep_enough), {}};
  lister.list(group, "", 1);
  return std::move(lister.found);
}

}  // namespace polycodec::hdf5
