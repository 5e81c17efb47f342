// SPDX-License-Identifier: MIT
// Which datasets of a group are blobs, and why others are not.
#pragma once

#include <polycodec/checked.hpp>

#include "file_driver.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::hdf5 {

/// The attribute of a dataset that holds the owner of the blob.
inline constexpr const char* owner_attribute = "polycodec.owner";

/// A dataset that is a blob.
struct Dataset {
  std::string name;  // relative to the group
  std::string owner;
  std::uint64_t size;
};

/// Why something in the file is not a blob.
struct Refusal {
  Status status = Status::ok;
  const char* why = "";
  explicit operator bool() const noexcept { return status != Status::ok; }
};

struct Listing {
  std::vector<Dataset> datasets;
  std::map<std::string, Refusal, std::less<>> refused;
};

/// Bytes of all elements of a dataset. False if that is not a number.
bool byte_size(hid_t dataset, hid_t type, std::uint64_t& size);

/// All blobs below `group`, in order of their names. In a Session. Throws Status::limit for too
/// many or too deeply nested groups, Status::malformed, and what the host reports.
Listing list_datasets(HostFile& file, const Call& call, hid_t group);

}  // namespace polycodec::hdf5
