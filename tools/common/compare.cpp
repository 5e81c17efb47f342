// SPDX-License-Identifier: MIT
// What a conversion kept of a value, and how it is reported.
#include "context.hpp"
#include "core/io/mapping_guard.hpp"
#include "terminal.hpp"

#include <utility>

namespace polycodec::cli {

WriteOptions Context::checking(NodeView value, const std::string& format,
                               const std::string& filters, const std::string& file, Check* check) {
  WriteOptions how = write_options();
  if (check == nullptr || options.no_compare) return how;
  check->reason = "the output is a stream";  // or else this is called
  how.check = [=, this](const std::string& written) {
    compare(value, format, filters, written, file, *check);
  };
  return how;
}

void Context::compare(NodeView value, const std::string& format, const std::string& filters,
                      const std::string& written, const std::string& file, Check& check) {
  // What the value does not need of the input gives room to what is read of the output.
  if (const auto input = pin_.lock()) posix::release_pages(mapped_);
  Written what{written, file, format, written_options_, filters, {}};
  {
    const std::scoped_lock lock(losses_mutex_);
    for (const Loss& loss : losses_) what.lost.push_back(loss.path);
  }
  check = check_written(registry(), value, what, call_options());
}

std::string describe(const Loss& loss, const std::string& place) {
  const bool retyped = loss.loss_class == LossClass::retyped;
  return (retyped ? std::string("≈") : styled(Style::bad, "lost", true)) + " " + place + loss.path +
         ": " + loss.what;
}

Json to_json(const std::vector<Loss>& losses, std::uint32_t classes) {
  Json all = Json::list();
  for (const Loss& loss : losses)
    if ((classes & losses_of(loss.loss_class)) != 0)
      all.push_back({{"path", loss.path}, {"what", loss.what}});
  return all;
}

void add_kept(Json& object, const Check& check) {
  if (check.kept == Kept::unknown && check.reason.empty()) return;
  object["kept"] = kept_word(check.kept);
  if (check.kept == Kept::unknown) object["not_compared"] = check.reason;
  if (check.difference)
    object["difference"] = {{"path", check.difference->path}, {"what", check.difference->reason}};
}

void add_report(Json& object, const Check& check, const std::vector<Loss>& losses, bool always) {
  constexpr std::uint32_t retyped = losses_of(LossClass::retyped);
  const auto has = [&](std::uint32_t classes) {
    for (const Loss& loss : losses)
      if ((classes & losses_of(loss.loss_class)) != 0) return true;
    return false;
  };
  add_kept(object, check);
  if (always || has(~retyped)) object["lost"] = to_json(losses, ~retyped);
  if (has(retyped)) object["retyped"] = to_json(losses, retyped);
}

}  // namespace polycodec::cli
