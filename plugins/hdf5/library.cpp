// SPDX-License-Identifier: MIT
#include "library.hpp"

namespace polycodec::hdf5 {

namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Lock::Lock() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLget_loading_state(&plugins_);
  H5PLset_loading_state(0);
}

Lock::~Lock() {
  H5PLset_loading_state(plugins_);
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

std::string last_error() {
  std::string reason;
  // Upward: the first entry is where the failure was noticed.
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        auto& text = *static_cast<std::string*>(data);
        if (text.empty() && error->desc != nullptr) text = error->desc;
        return 0;
      },
      &reason);
  return reason.empty() ? "unknown reason" : reason;
}

}  // namespace polycodec::hdf5
