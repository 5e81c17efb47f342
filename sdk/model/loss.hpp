// SPDX-License-Identifier: MIT
// What a conversion cannot carry: the host allows it or refuses it, by class. See docs/loss.md.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/error.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {

/// One thing that the result lacks.
struct Loss {
  std::string path;  ///< where, such as `$.vertex.quality`
  std::string what;  ///< for humans, such as "a weight of 2"
  LossClass loss_class = LossClass::data;
};

/// The losses of one call, which are gathered before anything is written and then settled at once,
/// so that a refusal names all of them. For one thread.
class Losses {
 public:
  void add(std::string path, std::string what, LossClass loss_class = LossClass::data) {
    add({std::move(path), std::move(what), loss_class});
  }
  void add(Loss loss) { all_.push_back(std::move(loss)); }
  bool empty() const noexcept { return all_.empty(); }
  const std::vector<Loss>& all() const noexcept { return all_; }

  /// Reports every loss. If the host does not allow one: throws Error(Status::unsupported) with the
  /// path of the first and this detail word, which names the first eight of the class. `format` is
  /// what cannot hold them, such as "PLY".
  void settle(const Call& call, std::string_view format, const char* detail) const {
    for (const Loss& loss : all_) {
      try {
        call.report_loss(loss.loss_class, loss.path, loss.what);
      } catch (const Error& e) {
        if (e.code() != Status::unsupported) throw;
        refuse(loss.loss_class, format, detail);
      }
    }
  }

 private:
  [[noreturn]] void refuse(LossClass loss_class, std::string_view format,
                           const char* detail) const {
    constexpr std::size_t named = 8;
    std::string message(format);
    const Loss* first = nullptr;
    std::size_t count = 0;
    message += " cannot store ";
    for (const Loss& loss : all_) {
      if (loss.loss_class != loss_class) continue;
      if (first == nullptr) first = &loss;
      if (count++ < named)
        message.append(count == 1 ? "" : "; ")
            .append(loss.path.substr(0, 60))
            .append(" (" + loss.what + ")");
    }
    if (count > named) message += "; and " + std::to_string(count - named) + " more";
    throw Error(Status::unsupported, message +
                                         "; use --lossy (API: CallOptions::on_loss) to omit " +
                                         (count == 1 ? "it" : "them"))
        .detail(detail)
        .path(first->path);
  }

  std::vector<Loss> all_;
};

}  // namespace polycodec
